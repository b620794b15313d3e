import { defineConfig } from "vite";

// Fixed names: the files are built into the program, which asks for them by name.
export default defineConfig({
  // Relative addresses: the page lies in a folder whose name is the server's secret.
  base: "./",
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
