class Postgame < Formula
  desc "Reads game replays and saves, checks them, and explains what happened"
  homepage "@HOMEPAGE@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@RELEASES@/v@VERSION@/postgame-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256 postgame-@VERSION@-aarch64-apple-darwin.tar.gz@"
    end
    on_intel do
      url "@RELEASES@/v@VERSION@/postgame-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256 postgame-@VERSION@-x86_64-apple-darwin.tar.gz@"
    end
  end

  on_linux do
    on_arm do
      url "@RELEASES@/v@VERSION@/postgame-@VERSION@-aarch64-unknown-linux-gnu.tar.gz"
      sha256 "@SHA256 postgame-@VERSION@-aarch64-unknown-linux-gnu.tar.gz@"
    end
    on_intel do
      url "@RELEASES@/v@VERSION@/postgame-@VERSION@-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "@SHA256 postgame-@VERSION@-x86_64-unknown-linux-gnu.tar.gz@"
    end
  end

  def install
    bin.install Dir["postgame*"].select { |file| File.file?(file) }
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/postgame.bash" => "postgame"
    zsh_completion.install "completions/_postgame"
    fish_completion.install "completions/postgame.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/postgame --version")
  end
end
