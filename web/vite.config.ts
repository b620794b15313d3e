import { defineConfig } from "vite";

// Fixed names: the files are built into the program, which asks for them by name.
export default defineConfig({
  build: {
    target: "es2022",
    emptyOutDir: false,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
    rollupOptions: {
      output: {
        entryFileNames: "app.js",
        chunkFileNames: "[name].js",
        assetFileNames: "app[extname]",
      },
    },
  },
});
