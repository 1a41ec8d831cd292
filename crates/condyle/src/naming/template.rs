//! Bodies that are known by their shape: what parts they have, how those hang together, and how long they are.

/// A part of a body, of one side or none.
#[derive(Debug)]
pub(super) struct Role {
    pub name: &'static str,
    /// The role it hangs on.
    pub parent: Option<usize>,
    /// The joint to it.
    pub joint: &'static str,
    /// How many hang there: two of limbs.
    pub count: usize,
    /// Whether recordings do without it more often than not.
    pub is_rare: bool,
    /// The cosine between up and the way from the parent's markers to its own, and its standard deviation.
    pub upwards: (f64, f64),
    /// From the joint to its parent to the joint to its child, as a share of the body's size.
    pub length: Option<f64>,
}

/// A kind of body.
#[derive(Debug)]
pub(super) struct Template {
    pub creature: super::Creature,
    pub roles: &'static [Role],
    /// How far the joints of a part are from each other where more than two meet, as shares of the size: the part, and
    /// the roles that the joints lead to.
    pub spans: &'static [(usize, [usize; 2], f64)],
    /// Sizes: the smallest, the largest, the usual one, and how much its logarithm varies.
    pub sizes_m: [f64; 2],
    pub usual_size: (f64, f64),
    /// How much logarithms of lengths vary from one body to another.
    pub varies: f64,
}

const fn role(
    (name, joint): (&'static str, &'static str),
    (parent, count): (Option<usize>, usize),
    upwards: (f64, f64),
    length: Option<f64>,
) -> Role {
    Role { name, parent, joint, count, is_rare: false, upwards, length }
}

const fn rare(role: Role) -> Role {
    Role { is_rare: true, ..role }
}

/// A person, as a share of the stature.
///
/// # Reference
/// R. Drillis, R. Contini (1966), Body segment parameters, after D. Winter (2009), Biomechanics and motor control of
/// human movement, figure 4.1: thigh .245, shank .246, upper arm .186, forearm .146. Those of the trunk are rounded
/// from there: hips .19/2 apart from the middle, shoulders .259/2.
pub(super) const PERSON: Template = Template {
    creature: super::Creature::Person,
    roles: &[
        role(("pelvis", ""), (None, 1), (0.0, 1.0), None),
        rare(role(("abdomen", "lumbosacral joint"), (Some(0), 1), (0.9, 0.4), Some(0.08))),
        role(("chest", "waist"), (Some(1), 1), (0.9, 0.4), None),
        rare(role(("neck", "lower neck"), (Some(2), 1), (0.9, 0.4), Some(0.06))),
        role(("head", "neck"), (Some(3), 1), (0.9, 0.4), None),
        rare(role(("clavicle", "sternoclavicular joint"), (Some(2), 2), (0.2, 0.6), Some(0.09))),
        role(("upper arm", "shoulder"), (Some(5), 2), (-0.4, 0.6), Some(0.186)),
        role(("forearm", "elbow"), (Some(6), 1), (-0.4, 0.6), Some(0.146)),
        role(("hand", "wrist"), (Some(7), 1), (-0.4, 0.6), None),
        role(("thigh", "hip"), (Some(0), 2), (-0.8, 0.4), Some(0.245)),
        role(("shank", "knee"), (Some(9), 1), (-0.8, 0.4), Some(0.246)),
        role(("foot", "ankle"), (Some(10), 1), (-0.7, 0.5), Some(0.1)),
        rare(role(("toes", "toe joint"), (Some(11), 1), (-0.2, 0.5), None)),
    ],
    spans: &[
        (0, [9, 9], 0.10),
        (0, [9, 1], 0.10),
        (2, [5, 5], 0.21),
        (2, [5, 0], 0.23),
        (2, [3, 0], 0.25),
        (2, [3, 5], 0.11),
    ],
    sizes_m: [0.9, 2.3],
    usual_size: (1.7, 0.15),
    varies: 0.2,
};

/// A person whose trunk is found as one segment.
pub(super) const ONE_TRUNK: Template = Template {
    roles: &[
        role(("trunk", ""), (None, 1), (0.0, 1.0), None),
        rare(role(("neck", "lower neck"), (Some(0), 1), (0.9, 0.4), Some(0.06))),
        role(("head", "neck"), (Some(1), 1), (0.9, 0.4), None),
        rare(role(("clavicle", "sternoclavicular joint"), (Some(0), 2), (0.2, 0.6), Some(0.09))),
        role(("upper arm", "shoulder"), (Some(3), 2), (-0.2, 0.6), Some(0.186)),
        role(("forearm", "elbow"), (Some(4), 1), (-0.4, 0.6), Some(0.146)),
        role(("hand", "wrist"), (Some(5), 1), (-0.4, 0.6), None),
        role(("thigh", "hip"), (Some(0), 2), (-0.9, 0.3), Some(0.245)),
        role(("shank", "knee"), (Some(7), 1), (-0.8, 0.4), Some(0.246)),
        role(("foot", "ankle"), (Some(8), 1), (-0.7, 0.5), Some(0.1)),
        rare(role(("toes", "toe joint"), (Some(9), 1), (-0.2, 0.5), None)),
    ],
    spans: &[
        (0, [7, 7], 0.10),
        (0, [3, 3], 0.21),
        (0, [3, 7], 0.30),
        (0, [1, 7], 0.35),
        (0, [1, 3], 0.11),
    ],
    ..PERSON
};

/// A quadruped, as a share of the height of its hips. Rounded from dogs; others vary widely.
pub(super) const QUADRUPED: Template = Template {
    creature: super::Creature::Quadruped,
    roles: &[
        role(("pelvis", ""), (None, 1), (0.0, 1.0), None),
        rare(role(("abdomen", "lumbosacral joint"), (Some(0), 1), (0.0, 0.35), Some(0.4))),
        role(("chest", "back"), (Some(1), 1), (0.0, 0.35), None),
        role(("neck", "neck base"), (Some(2), 1), (0.4, 0.5), Some(0.41)),
        role(("head", "poll"), (Some(3), 1), (0.3, 0.6), None),
        rare(role(("scapula", "scapula joint"), (Some(2), 2), (-0.5, 0.6), Some(0.35))),
        role(("upper arm", "shoulder"), (Some(5), 2), (-0.8, 0.5), Some(0.36)),
        role(("forearm", "elbow"), (Some(6), 1), (-0.8, 0.5), Some(0.42)),
        role(("fore paw", "carpus"), (Some(7), 1), (-0.8, 0.5), None),
        role(("thigh", "hip"), (Some(0), 2), (-0.8, 0.5), Some(0.42)),
        role(("shank", "stifle"), (Some(9), 1), (-0.7, 0.5), Some(0.43)),
        role(("hind foot", "hock"), (Some(10), 1), (-0.8, 0.5), None),
        rare(role(("tail", "tail base"), (Some(0), 1), (0.0, 0.6), None)),
    ],
    spans: &[
        (0, [9, 9], 0.24),
        (0, [9, 1], 0.28),
        (0, [12, 9], 0.30),
        (0, [12, 1], 0.48),
        (2, [5, 5], 0.30),
        (2, [5, 0], 0.80),
        (2, [3, 0], 0.87),
        (2, [3, 5], 0.24),
    ],
    sizes_m: [0.2, 1.8],
    usual_size: (0.6, 1.0),
    varies: 0.3,
};

/// A way to a neighbour: to what a role hangs on, or to one of those that hang on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Way {
    Up,
    Down(usize),
}

/// A role that a way leads to, perhaps past others that have no markers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reached {
    pub role: usize,
    /// The way from it that leads back.
    pub back: Way,
    /// Roles passed that most recordings have.
    pub passed: usize,
}

impl Template {
    pub fn children(&self, role: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.roles.len()).filter(move |child| self.roles[*child].parent == Some(role))
    }

    /// The ways from a role, and how many neighbours there are along each.
    pub fn ways(&self, role: usize) -> Vec<(Way, usize)> {
        let up = self.roles[role].parent.map(|_| (Way::Up, 1));
        let down = self.children(role).map(|child| (Way::Down(child), self.roles[child].count));
        up.into_iter().chain(down).collect()
    }

    /// What is along a way, nearest first.
    pub fn along(&self, role: usize, way: Way) -> Vec<Reached> {
        let mut reached = Vec::new();
        let (mut from, mut passed) = (role, 0);
        let mut next = match way {
            Way::Up => self.roles[role].parent,
            Way::Down(child) => Some(child),
        };
        while let Some(at) = next {
            let back = match way {
                Way::Up => Way::Down(from),
                Way::Down(_) => Way::Up,
            };
            reached.push(Reached { role: at, back, passed });
            // Nothing is passed that more than two hang on.
            let below: Vec<usize> = self.children(at).collect();
            let is_between = below.len() == 1 && self.roles[at].parent.is_some();
            passed += usize::from(!self.roles[at].is_rare);
            from = at;
            next = match way {
                _ if !is_between => None,
                Way::Up => self.roles[at].parent,
                Way::Down(_) => Some(below[0]),
            };
        }
        reached
    }

    /// How far apart the joints along two ways of a role are, as a share of the size.
    pub fn span(&self, role: usize, ways: [Way; 2]) -> Option<f64> {
        let key = |way: Way| match way {
            Way::Up => usize::MAX,
            Way::Down(child) => child,
        };
        let [a, b] = ways.map(key);
        let is_limb = self.children(role).count() == 1 && self.roles[role].parent.is_some();
        if is_limb && a != b {
            return self.roles[role].length;
        }
        let up = self.roles[role].parent;
        let meant = |key: usize| if key == usize::MAX { up.map(|_| 0) } else { Some(key) };
        let (a, b) = (meant(a)?, meant(b)?);
        let span = self
            .spans
            .iter()
            .find(|(part, joints, _)| *part == role && (*joints == [a, b] || *joints == [b, a]));
        span.map(|(_, _, share)| *share)
    }

    /// The joint between two roles, if one hangs on the other, perhaps past parts that are rare.
    pub fn joint(&self, one: usize, other: usize) -> Option<&'static str> {
        let below = |from: usize, to: usize| {
            let downwards = self.ways(from).into_iter().filter(|(way, _)| *way != Way::Up);
            let mut reached = downwards.flat_map(|(way, _)| self.along(from, way));
            reached.any(|reached| reached.role == to && reached.passed == 0)
        };
        match (below(one, other), below(other, one)) {
            (true, _) => Some(self.roles[other].joint),
            (_, true) => Some(self.roles[one].joint),
            _ => None,
        }
    }

    /// Whether a role exists on both sides.
    pub fn is_sided(&self, role: usize) -> bool {
        let mut at = Some(role);
        while let Some(role) = at {
            if self.roles[role].count == 2 {
                return true;
            }
            at = self.roles[role].parent;
        }
        false
    }

    /// The role of a name.
    pub fn role(&self, name: &str) -> Option<usize> {
        self.roles.iter().position(|role| role.name == name)
    }

    /// Whether a role is part of a leg that hangs on the hips.
    pub fn is_leg(&self, role: usize) -> bool {
        let thigh = self.role("thigh");
        let mut at = Some(role);
        while at.is_some() && at != thigh {
            at = at.and_then(|role| self.roles[role].parent);
        }
        at.is_some()
    }
}
