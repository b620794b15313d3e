//! The example programs, run on samples.

#[path = "../../examples/ball.rs"]
mod ball;

use postgame_testing::corpus;

#[test]
fn the_ball_of_a_sample_is_printed() {
    let mut output = Vec::new();
    ball::run(corpus::sample("duel.replay").to_str().unwrap(), &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    let lines: Vec<&str> = output.lines().collect();
    assert!(lines.len() > 10, "{output}");
    assert!(lines.iter().all(|line| line.split(' ').count() == 4));
}
