//! Which bones a vertex sees: the straight way there stays within the surface.
//!
//! # Method
//! Triangles are sorted into a tree of boxes, split at the middle of the longest side; a way is blocked by the first
//! triangle that it crosses (Möller and Trumbore 1997).

use nalgebra::{Point3, Vector3};

use super::surface::Surface;

/// A leaf holds at most so many triangles.
const LEAF: usize = 4;
/// The end of a way, as a share of it, that does not count.
const END: f64 = 1e-6;

#[derive(Debug, Clone, Copy)]
struct Node {
    low: Point3<f64>,
    high: Point3<f64>,
    /// Of a leaf where its triangles begin, of another the second of its children; the first follows it.
    start: usize,
    /// Of a leaf how many triangles it has, of another 0.
    count: usize,
}

/// A surface made ready to be looked through.
pub(super) struct Sight<'a> {
    surface: &'a Surface,
    order: Vec<usize>,
    nodes: Vec<Node>,
}

impl<'a> Sight<'a> {
    pub fn of(surface: &'a Surface) -> Self {
        let middles: Vec<Point3<f64>> = surface
            .triangles()
            .iter()
            .map(|corners| {
                let [a, b, c] = surface.corners_m(corners);
                Point3::from((a.coords + b.coords + c.coords) / 3.0)
            })
            .collect();
        let mut sight = Self { surface, order: (0..middles.len()).collect(), nodes: Vec::new() };
        sight.split(0, middles.len(), &middles);
        sight
    }

    fn split(&mut self, start: usize, end: usize, middles: &[Point3<f64>]) {
        let (mut low, mut high) =
            (Point3::from([f64::INFINITY; 3]), Point3::from([f64::NEG_INFINITY; 3]));
        for triangle in &self.order[start..end] {
            for corner in self.surface.corners_m(&self.surface.triangles()[*triangle]) {
                low = low.inf(&corner);
                high = high.sup(&corner);
            }
        }
        let own = self.nodes.len();
        self.nodes.push(Node { low, high, start, count: end - start });
        if end - start <= LEAF {
            return;
        }
        let axis = (high - low).imax();
        let middle = (start + end) / 2;
        self.order[start..end].select_nth_unstable_by(middle - start, |a, b| {
            middles[*a][axis].total_cmp(&middles[*b][axis])
        });
        self.split(start, middle, middles);
        let second = self.nodes.len();
        self.split(middle, end, middles);
        (self.nodes[own].start, self.nodes[own].count) = (second, 0);
    }

    pub fn vertex_m(&self, vertex: u32) -> Point3<f64> {
        self.surface.vertices_m()[vertex as usize]
    }

    /// Whether the way from a point to a vertex crosses no triangle but those of the vertex.
    pub fn is_free(&self, from_m: &Point3<f64>, vertex: u32) -> bool {
        let way = self.vertex_m(vertex) - from_m;
        let inverse = way.map(|x| 1.0 / x);
        let mut stack = [0usize; 64];
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let at = stack[depth];
            let node = &self.nodes[at];
            if !crosses_box(node, from_m, &inverse) {
                continue;
            }
            if node.count == 0 {
                // A balanced tree of 2^62 triangles would fill the stack.
                (stack[depth], stack[depth + 1]) = (at + 1, node.start);
                depth += 2;
                continue;
            }
            for triangle in &self.order[node.start..node.start + node.count] {
                let corners = &self.surface.triangles()[*triangle];
                if !corners.contains(&vertex)
                    && crosses(&self.surface.corners_m(corners), from_m, &way)
                {
                    return false;
                }
            }
        }
        true
    }
}

fn crosses_box(node: &Node, from_m: &Point3<f64>, inverse: &Vector3<f64>) -> bool {
    let (mut near, mut far) = (0.0_f64, 1.0_f64);
    for axis in 0..3 {
        let a = (node.low[axis] - from_m[axis]) * inverse[axis];
        let b = (node.high[axis] - from_m[axis]) * inverse[axis];
        // A way along the side of a box: 0 times infinity is no bound.
        if a.is_nan() || b.is_nan() {
            continue;
        }
        near = near.max(a.min(b));
        far = far.min(a.max(b));
    }
    near <= far
}

fn crosses([a, b, c]: &[Point3<f64>; 3], from_m: &Point3<f64>, way: &Vector3<f64>) -> bool {
    let (ab, ac) = (b - a, c - a);
    let across = way.cross(&ac);
    let determinant = ab.dot(&across);
    if determinant == 0.0 {
        return false;
    }
    let arm = from_m - a;
    let u = arm.dot(&across) / determinant;
    let turned = arm.cross(&ab);
    let v = way.dot(&turned) / determinant;
    let t = ac.dot(&turned) / determinant;
    u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 0.0 && t < 1.0 - END
}
