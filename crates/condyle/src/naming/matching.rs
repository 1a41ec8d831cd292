//! Which segment of a tree is which part of a body.

use std::collections::BTreeMap;

use nalgebra::Vector3;

use super::measure::Measured;
use super::template::{Template, Way};

/// A segment that is no part of the body costs so much, as a logarithm of likelihood.
const NONE: f64 = -2.0;
/// A part that most recordings have and that is passed over, or that nothing hangs where it should.
const PASSED: f64 = -2.5;
const ABSENT: f64 = -0.5;
/// A part that most recordings do without.
const RARE: f64 = -2.0;
/// Evidence against is bounded: measured joints and middles are sometimes far off.
const LEAST: f64 = -4.0;
/// The density of what is no body: logarithms of lengths are anywhere over three units, cosines over two.
const LENGTH_ANYWHERE: f64 = 1.0 / 3.0;
const COSINE_ANYWHERE: f64 = 1.0 / 2.0;
/// More neighbours than this no part has.
const MOST_NEIGHBOURS: usize = 9;

/// Roles for the segments of a tree.
#[derive(Debug, Clone)]
pub(super) struct Match {
    /// For every segment its role.
    pub roles: Vec<Option<usize>>,
    /// How much likelier than no body, as a logarithm.
    pub score: f64,
    pub size_m: f64,
}

/// A tree that is compared with a template.
pub(super) struct Matching<'a> {
    template: &'a Template,
    measured: &'a Measured,
    size_m: f64,
    /// A segment, and a role that it must not have.
    forbidden: Option<(usize, Option<usize>)>,
    /// For every segment its neighbours: the edge and the other segment.
    neighbours: Vec<Vec<(usize, usize)>>,
    /// Logarithms of distances between joints.
    apart: BTreeMap<[usize; 2], f64>,
    cosines: BTreeMap<[usize; 2], f64>,
}

/// What is best for a segment, its role given, and for those that hang on it.
#[derive(Clone, Default)]
struct Best {
    score: f64,
    /// For every neighbour that is not above it: its role and its way back.
    below: Vec<(usize, Option<(usize, Way)>)>,
}

/// What a neighbour may be, with its score: along which way, its role, and its way back; or no part of the body.
type Choice = (Option<(Way, usize, Way)>, f64);

type Known = BTreeMap<(usize, usize, Option<Way>), Option<Best>>;

impl<'a> Matching<'a> {
    pub fn new(template: &'a Template, measured: &'a Measured, up: Vector3<f64>) -> Self {
        let count = measured.middles_m.len();
        let mut neighbours = vec![Vec::new(); count];
        let mut cosines = BTreeMap::new();
        for (edge, [a, b]) in measured.edges.iter().copied().enumerate() {
            neighbours[a].push((edge, b));
            neighbours[b].push((edge, a));
            if let Some(cosine) = measured.cosine(a, b, &up) {
                cosines.insert([a, b], cosine);
                cosines.insert([b, a], -cosine);
            }
        }
        let mut apart = BTreeMap::new();
        for own in &neighbours {
            for (at, (one, _)) in own.iter().enumerate() {
                for (other, _) in &own[..at] {
                    if let Some(apart_m) = measured.apart_m(*one, *other) {
                        let key = [*one.min(other), *one.max(other)];
                        apart.insert(key, apart_m.max(1e-3).ln());
                    }
                }
            }
        }
        Self { template, measured, size_m: 1.0, forbidden: None, neighbours, apart, cosines }
    }

    /// The best roles, over all sizes of body.
    pub fn best(&mut self) -> Option<Match> {
        let [from, to] = self.template.sizes_m.map(f64::ln);
        let (usual_m, sd) = self.template.usual_size;
        let mut best: Option<Match> = None;
        let steps = ((to - from) / SIZE_STEP).ceil() as usize;
        for step in 0..=steps {
            self.size_m = (from + SIZE_STEP * step as f64).exp();
            let off = (self.size_m / usual_m).ln() / sd;
            let Some(mut found) = self.at_size() else { continue };
            found.score -= 0.5 * off * off;
            if best.as_ref().is_none_or(|best| found.score > best.score) {
                best = Some(found);
            }
        }
        best
    }

    /// How much worse it gets if a segment has not the role that it has.
    pub fn margin(&mut self, best: &Match, segment: usize) -> f64 {
        self.size_m = best.size_m;
        self.forbidden = None;
        let with = self.at_size().map_or(f64::NEG_INFINITY, |found| found.score);
        self.forbidden = Some((segment, best.roles[segment]));
        let without = self.at_size().map_or(f64::NEG_INFINITY, |found| found.score);
        self.forbidden = None;
        with - without
    }

    fn at_size(&self) -> Option<Match> {
        // From the segment with most neighbours, which is part of the body if any is.
        let root =
            (0..self.neighbours.len()).max_by_key(|segment| self.neighbours[*segment].len())?;
        let mut known = Known::new();
        let all = 0..self.template.roles.len();
        let scored =
            all.filter_map(|role| Some((role, self.of(root, (role, None), None, &mut known)?)));
        let (role, best) = scored.max_by(|a, b| a.1.score.total_cmp(&b.1.score))?;
        let mut found = Match {
            roles: vec![None; self.measured.middles_m.len()],
            score: best.score,
            size_m: self.size_m,
        };
        found.roles[root] = Some(role);
        self.fill(&best, (root, None), &mut known, &mut found);
        Some(found)
    }

    fn fill(
        &self,
        best: &Best,
        (segment, above): (usize, Option<usize>),
        known: &mut Known,
        found: &mut Match,
    ) {
        for (edge, choice) in &best.below {
            let Some((_, other)) = self.neighbours[segment].iter().find(|(own, _)| own == edge)
            else {
                continue;
            };
            let Some((role, back)) = choice.filter(|_| Some(*other) != above) else { continue };
            found.roles[*other] = Some(role);
            if let Some(below) = self.of(*other, (role, Some(back)), Some(*edge), known) {
                self.fill(&below, (*other, Some(segment)), known, found);
            }
        }
    }

    /// The best for a segment in a role, whose way `back` is taken by the segment at the edge `above`.
    fn of(
        &self,
        segment: usize,
        (role, back): (usize, Option<Way>),
        above: Option<usize>,
        known: &mut Known,
    ) -> Option<Best> {
        if self.forbidden == Some((segment, Some(role))) {
            return None;
        }
        let key = (segment, role, back);
        if let Some(best) = known.get(&key) {
            return best.clone();
        }
        let below: Vec<(usize, usize)> = self.neighbours[segment]
            .iter()
            .copied()
            .filter(|(edge, _)| Some(*edge) != above)
            .collect();
        let best = (below.len() < MOST_NEIGHBOURS)
            .then(|| self.arranged(role, (back, above), &below, segment, known));
        let best = best.flatten();
        known.insert(key, best.clone());
        best
    }

    fn arranged(
        &self,
        role: usize,
        (back, above): (Option<Way>, Option<usize>),
        below: &[(usize, usize)],
        segment: usize,
        known: &mut Known,
    ) -> Option<Best> {
        let ways = self.template.ways(role);
        // What is best along every way, of every neighbour.
        let mut options: Vec<Vec<Choice>> = Vec::new();
        for (edge, other) in below {
            let mut of_one = vec![(None, self.nothing(*other, segment))];
            for (way, _) in &ways {
                let reached = self.template.along(role, *way);
                let scored = reached.into_iter().filter_map(|to| {
                    let best = self.of(*other, (to.role, Some(to.back)), Some(*edge), known)?;
                    let score = best.score
                        + self.upwards([role, to.role], *way, [segment, *other])
                        + PASSED * to.passed as f64
                        + self.rarity(to.role);
                    Some((Some((*way, to.role, to.back)), score))
                });
                of_one.extend(scored.max_by(|a, b| a.1.total_cmp(&b.1)));
            }
            options.push(of_one);
        }
        let mut taken: Vec<(Way, usize)> = Vec::new();
        taken.extend(back.zip(above));
        let mut best: Option<Best> = None;
        let mut chosen = Vec::new();
        self.choose((role, &ways), below, &options, &mut taken, (&mut chosen, 0.0), &mut best);
        best
    }

    fn choose(
        &self,
        (role, ways): (usize, &[(Way, usize)]),
        below: &[(usize, usize)],
        options: &[Vec<Choice>],
        taken: &mut Vec<(Way, usize)>,
        (chosen, score): (&mut Vec<Option<(usize, Way)>>, f64),
        best: &mut Option<Best>,
    ) {
        let at = chosen.len();
        if at == below.len() {
            let score = score + self.absent(role, ways, taken);
            if best.as_ref().is_none_or(|best| score > best.score) {
                let edges = below.iter().map(|(edge, _)| *edge);
                *best = Some(Best { score, below: edges.zip(chosen.iter().copied()).collect() });
            }
            return;
        }
        let (edge, _) = below[at];
        for (choice, gain) in &options[at] {
            let mut gain = *gain;
            if !gain.is_finite() {
                continue;
            }
            if let Some((way, _, _)) = choice {
                let room = ways.iter().find(|(own, _)| own == way).map_or(0, |(_, count)| *count);
                if taken.iter().filter(|(own, _)| own == way).count() >= room {
                    continue;
                }
                gain += taken
                    .iter()
                    .map(|(other, its)| self.span(role, [*way, *other], [edge, *its]))
                    .sum::<f64>();
                taken.push((*way, edge));
            }
            chosen.push(choice.map(|(_, role, back)| (role, back)));
            self.choose((role, ways), below, options, taken, (chosen, score + gain), best);
            chosen.pop();
            if choice.is_some() {
                taken.pop();
            }
        }
    }

    /// What a part that most recordings do without costs.
    fn rarity(&self, role: usize) -> f64 {
        if self.template.roles[role].is_rare { RARE } else { 0.0 }
    }

    /// A segment that is no part of the body, and all that hang on it.
    fn nothing(&self, segment: usize, above: usize) -> f64 {
        if self.forbidden == Some((segment, None)) {
            return f64::NEG_INFINITY;
        }
        let below = self.neighbours[segment].iter().filter(|(_, other)| *other != above);
        NONE + below.map(|(_, other)| self.nothing(*other, segment)).sum::<f64>()
    }

    fn absent(&self, role: usize, ways: &[(Way, usize)], taken: &[(Way, usize)]) -> f64 {
        let missing = ways.iter().map(|(way, count)| {
            let there = taken.iter().filter(|(own, _)| own == way).count();
            let is_rare = self
                .template
                .along(role, *way)
                .iter()
                .all(|to| self.template.roles[to.role].is_rare);
            if is_rare { 0 } else { count - there.min(*count) }
        });
        ABSENT * missing.sum::<usize>() as f64
    }

    /// How likely the direction from one segment to another is.
    fn upwards(&self, [from, to]: [usize; 2], way: Way, segments: [usize; 2]) -> f64 {
        let Some(cosine) = self.cosines.get(&segments) else { return 0.0 };
        let (expected, sd) = match way {
            Way::Up => {
                let (mean, sd) = self.template.roles[from].upwards;
                (-mean, sd)
            }
            Way::Down(_) => self.template.roles[to].upwards,
        };
        gain((cosine - expected) / sd, sd, COSINE_ANYWHERE)
    }

    /// How likely the distance between two joints of a part is.
    fn span(&self, role: usize, ways: [Way; 2], [one, other]: [usize; 2]) -> f64 {
        let apart = self.apart.get(&[one.min(other), one.max(other)]);
        let Some((share, apart)) = self.template.span(role, ways).zip(apart) else { return 0.0 };
        let sd = self.template.varies;
        gain((apart - (share * self.size_m).ln()) / sd, sd, LENGTH_ANYWHERE)
    }
}

/// Steps of the logarithm of a size.
const SIZE_STEP: f64 = 0.08;

/// The logarithm of a normal density against one that is the same anywhere.
fn gain(sds: f64, sd: f64, anywhere: f64) -> f64 {
    let density = -0.5 * sds * sds - (sd * (2.0 * std::f64::consts::PI).sqrt()).ln();
    (density - anywhere.ln()).max(LEAST)
}
