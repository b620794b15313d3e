#!/bin/sh
# Installs postgame @VERSION@ into ~/.local/bin, or into the folder that POSTGAME_BIN names.
# It downloads one archive, checks its SHA-256, and unpacks the programs. It changes nothing else.
set -eu

version='@VERSION@'
releases="${POSTGAME_RELEASES:-@RELEASES@/v$version}"
bin="${POSTGAME_BIN:-$HOME/.local/bin}"

fail() {
    echo "install.sh: $*" >&2
    exit 1
}

case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) target=x86_64-unknown-linux-gnu sum=@SHA256 postgame-@VERSION@-x86_64-unknown-linux-gnu.tar.gz@ ;;
    Linux-aarch64) target=aarch64-unknown-linux-gnu sum=@SHA256 postgame-@VERSION@-aarch64-unknown-linux-gnu.tar.gz@ ;;
    Darwin-x86_64) target=x86_64-apple-darwin sum=@SHA256 postgame-@VERSION@-x86_64-apple-darwin.tar.gz@ ;;
    Darwin-arm64) target=aarch64-apple-darwin sum=@SHA256 postgame-@VERSION@-aarch64-apple-darwin.tar.gz@ ;;
    *) fail "there is no archive for $(uname -s) on $(uname -m); build from source with: cargo install postgame-cli" ;;
esac

name="postgame-$version-$target"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

case "$releases" in
    /*) cp "$releases/$name.tar.gz" "$folder/" || fail "$releases/$name.tar.gz could not be copied" ;;
    *) curl --proto '=https' --fail --silent --show-error --location --output "$folder/$name.tar.gz" "$releases/$name.tar.gz" ||
        fail "$releases/$name.tar.gz could not be downloaded" ;;
esac

if command -v sha256sum >/dev/null; then
    actual=$(sha256sum "$folder/$name.tar.gz")
else
    actual=$(shasum -a 256 "$folder/$name.tar.gz")
fi
[ "${actual%% *}" = "$sum" ] || fail "the archive has another checksum than this script expects: nothing was installed"

tar -xzf "$folder/$name.tar.gz" -C "$folder"
mkdir -p "$bin"
for program in "$folder/$name"/postgame "$folder/$name"/postgame-sql; do
    if [ -f "$program" ]; then
        cp "$program" "$bin/.installing-postgame"
        mv "$bin/.installing-postgame" "$bin/${program##*/}"
    fi
done

"$bin/postgame" --version
case ":$PATH:" in
    *":$bin:"*) ;;
    *) echo "Add $bin to your PATH to run it as 'postgame'." ;;
esac
