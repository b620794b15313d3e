fn main() {
    let files: Vec<String> = std::env::args().skip(2).collect();
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    for f in files {
        let b = std::fs::read(&f).unwrap();
        for _ in 0..n { 
            let t = std::time::Instant::now();
            let r = postgame::read(&b, &Default::default()).unwrap();
            let a = t.elapsed();
            let t = std::time::Instant::now();
            let x = boxcars::ParserBuilder::new(&b).must_parse_network_data().parse().unwrap();
            let c = t.elapsed();
            eprintln!("{:?} {:?}", a, c);
            std::hint::black_box((r, x));
        }
    }
}
