//! What runs in Python: the package's wheel, tests and comparison, and Blender, each in its own environment below `target`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tools::{Result, linted, root, step, target};

const MANIFEST: &str = "crates/postgame-py/Cargo.toml";

/// Builds the wheel for publication into `target/wheels`, and checks that it only uses symbols of the oldest CPython it
/// supports.
pub fn wheel() -> Result {
    let environment = Environment::at("wheel", "crates/postgame-py/build-requirements.txt")?;
    let build = ["build", "--locked", "--manifest-path", MANIFEST, "--out"];
    let wheels = root().join("target/wheels");
    // Only one wheel: one left by an older version would be checked too.
    drop(std::fs::remove_dir_all(&wheels));
    step(
        "building the wheel",
        environment.program("maturin").args(build).arg(&wheels),
    )?;
    let built =
        std::fs::read_dir(&wheels).map_err(|error| format!("{}: {error}", wheels.display()))?;
    let built = built.filter_map(|entry| Some(entry.ok()?.path()));
    step(
        "the wheel's stable interface",
        environment.program("abi3audit").arg("--strict").args(built),
    )
}

/// Builds the package like the other tests, and runs its tests.
pub fn test() -> Result {
    let environment = Environment::at("test", "crates/postgame-py/tests/requirements.txt")?;
    environment.link()?;
    step(
        "Python package",
        environment
            .program("python")
            .args(["-m", "pytest", "-q", "-rs", "crates/postgame-py"])
            .env("POSTGAME_DIGEST", target().join("debug/examples/digest")),
    )
}

/// Measures the package against its peers, in one process.
pub fn compare() -> Result {
    let environment = Environment::at("compare", "bench/python/requirements.txt")?;
    environment.install("wheel")?;
    step(
        "comparing in Python",
        environment.program("python").arg("bench/python/compare.py"),
    )
}

/// Renders a moment of a `.glb` with Blender.
pub fn render(glb: &Path, picture: &Path, at_s: f64) -> Result {
    let environment = Environment::at("blender", "xtask/blender/requirements.txt")?;
    step(
        "rendering with Blender",
        environment
            .program("python")
            .arg("xtask/blender/render.py")
            .args([glb, picture])
            .arg(at_s.to_string()),
    )
}

/// A virtual environment with the packages of a requirements file.
struct Environment(PathBuf);

impl Environment {
    /// Creates it, unless it exists and was created from the same file.
    fn at(name: &str, requirements: &str) -> Result<Self> {
        let environment = Self(root().join("target/python").join(name));
        let list = root().join(requirements);
        let wanted = std::fs::read(&list).map_err(|error| format!("{requirements}: {error}"))?;
        let made_of = environment.0.join("requirements.txt");
        if std::fs::read(&made_of).is_ok_and(|made_of| made_of == wanted) {
            return Ok(environment);
        }
        let mut make = Command::new("python3");
        make.args(["-m", "venv", "--clear"]).arg(&environment.0);
        step("making a Python environment", &mut make).map_err(|error| {
            format!("{error}: it needs Python 3.11 or newer with venv (Debian: python3-venv)")
        })?;
        let install = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            // The installed packages are the tested ones: every file has its digest in the list.
            "--require-hashes",
            "-r",
        ];
        let installed = step(
            &format!("installing {requirements}"),
            environment.program("python").args(install).arg(&list),
        );
        installed.map_err(|error| {
            format!("{error}: the Python package is built and tested with tools from PyPI, which cannot be reached from here")
        })?;
        std::fs::write(&made_of, wanted).map_err(|error| format!("{requirements}: {error}"))?;
        Ok(environment)
    }

    /// Builds the package in a profile and installs it into the environment.
    fn install(&self, profile: &str) -> Result {
        let develop = [
            "develop",
            "--quiet",
            "--locked",
            "--manifest-path",
            MANIFEST,
            "--profile",
            profile,
        ];
        step(
            "building the Python package",
            self.program("maturin").args(develop),
        )
    }

    /// Builds the package like the other tests and installs it into the environment.
    ///
    /// Uses cargo instead of maturin: with the features of the whole workspace, everything is already built for the
    /// tests. That includes the examples, without which the features would differ. One example, `digest`, is one side
    /// of a comparison: the tables of the Rust library, without the package.
    fn link(&self) -> Result {
        let mut build = linted(&["build", "--lib", "--examples"]);
        step("building the Python package", &mut build)?;
        let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        let built = target().join(format!("debug/{prefix}postgame_py{suffix}"));
        let python = root().join("crates/postgame-py/python");
        let module = if cfg!(windows) {
            "postgame/_native.pyd"
        } else {
            "postgame/_native.abi3.so"
        };
        let failed = |error| format!("the Python package: {error}");
        std::fs::copy(built, python.join(module)).map_err(failed)?;
        // A file of this name in an environment lists folders with packages.
        let ask = "import sysconfig; print(sysconfig.get_path('purelib'), end='')";
        let answer = self.program("python").args(["-c", ask]).output();
        let packages = answer.map_err(failed)?.stdout;
        let list = Path::new(&*String::from_utf8_lossy(&packages)).join("postgame.pth");
        std::fs::write(list, format!("{}\n", python.display())).map_err(failed)
    }

    /// A program of the environment, run in the root of the repository.
    fn program(&self, name: &str) -> Command {
        let folder = if cfg!(windows) { "Scripts" } else { "bin" };
        let mut command = Command::new(self.0.join(folder).join(name));
        command.current_dir(root()).env("VIRTUAL_ENV", &self.0);
        // Child processes look in the environment first.
        let mut paths = vec![self.0.join(folder)];
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        paths.extend(std::env::split_paths(&inherited).filter(|path| path != Path::new("")));
        if let Ok(paths) = std::env::join_paths(paths) {
            command.env("PATH", paths);
        }
        command
    }
}
