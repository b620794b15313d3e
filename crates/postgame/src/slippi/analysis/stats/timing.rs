//! How techniques are timed, and what players make of hits.

use super::Analysis;
use crate::slippi::analysis::techniques::Kind;
use crate::stats::Group;

/// How often techniques of the newer kind are used, and how they are timed.
pub(super) fn timing(analysis: &Analysis, port: u8) -> Group {
    let of = |kind: Kind| {
        let all = analysis.techniques.iter();
        all.filter(move |one| one.port == port && one.kind == kind)
    };
    let count = |kind: Kind| of(kind).count();
    let frames = |kind: Kind| of(kind).filter_map(|one| one.frames).map(f64::from);
    let edgeguards = || {
        analysis
            .edgeguards
            .iter()
            .filter(move |one| one.port == port)
    };
    let ledge_dashes = || frames(Kind::LedgeDash);
    Group::new("timing")
        .count("shield_drops", count(Kind::ShieldDrop))
        .count("pivots", count(Kind::Pivot))
        .count("short_hops", count(Kind::ShortHop))
        .count("full_hops", count(Kind::FullHop))
        .count("no_impact_landings", count(Kind::NoImpactLanding))
        .count("auto_cancels", count(Kind::AutoCancel))
        .count("meteor_cancels", count(Kind::MeteorCancel))
        .count("edge_cancels", count(Kind::EdgeCancel))
        .count("tech_chases", count(Kind::TechChase))
        .count(
            "tech_chases_hit",
            of(Kind::TechChase)
                .filter(|one| one.is_success == Some(true))
                .count(),
        )
        .count("edgeguards", edgeguards().count())
        .count(
            "edgeguard_kills",
            edgeguards().filter(|one| one.did_kill).count(),
        )
        .count("ledge_dashes", count(Kind::LedgeDash))
        .amount("galint_mean_frames", mean(ledge_dashes()))
        .amount(
            "galint_best_frames",
            ledge_dashes().fold(f64::NAN, f64::max),
        )
        .amount("wavedash_mean_frames", mean(frames(Kind::Wavedash)))
        .amount(
            "wavedash_mean_angle_deg",
            mean(
                of(Kind::Wavedash)
                    .filter_map(|one| one.angle_deg)
                    .map(f64::from),
            ),
        )
        .amount("l_cancel_press_mean_frames", mean(frames(Kind::LCancel)))
        .amount("act_out_mean_frames", mean(frames(Kind::ActOut)))
}

/// The mean; not a number if there is nothing.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = values.fold((0_u32, 0.0), |(count, sum), one| (count + 1, sum + one));
    sum / f64::from(count)
}

/// What a player makes of hits taken.
pub(super) fn influence(analysis: &Analysis, port: u8) -> Group {
    let taken = || analysis.hits.iter().filter(move |hit| hit.victim == port);
    let launches = || taken().filter_map(|hit| hit.launch);
    let sdi: u32 = taken().filter_map(|hit| hit.sdi_inputs).sum();
    let deaths = || taken().filter(|hit| hit.did_kill);
    let survivable = deaths().filter(|hit| {
        let outcomes = hit.launch.and_then(|launch| launch.outcomes);
        outcomes.is_some_and(|outcomes| outcomes.without_di && !outcomes.with_best_di)
    });
    Group::new("influence")
        .count("hits_taken", taken().count())
        .count("launches", launches().count())
        .amount(
            "di_mean_share",
            mean(launches().map(|launch| launch.di_share.into())),
        )
        .count("sdi_inputs", sdi as usize)
        .count(
            "crouched_hits",
            taken().filter(|hit| hit.was_crouching).count(),
        )
        .count(
            "v_cancels",
            taken().filter(|hit| hit.has_v_cancelled).count(),
        )
        .count("deaths_by_hit", deaths().count())
        .count("deaths_avoidable_by_di", survivable.count())
}
