//! Numbers of the library as NumPy arrays, and back.

use nalgebra::{Isometry3, Point3};
use numpy::ndarray::{ArrayView, ArrayView1, ArrayView2, Dimension};
use numpy::npyffi::NPY_ARRAY_WRITEABLE;
use numpy::{
    Element, PyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods,
};
use pyo3::prelude::*;

use crate::error::{Answer, wrong};

/// A read-only array over memory that `owner` holds and never changes: nothing is copied.
#[allow(unsafe_code, reason = "there is no other way to tell NumPy how long memory lives")]
fn view<'py, T: Element, D: Dimension>(
    numbers: &ArrayView<'_, T, D>,
    owner: &Bound<'py, PyAny>,
) -> Bound<'py, PyArray<T, D>> {
    // SAFETY: every owner is a frozen class, so that what it holds neither moves nor changes; the array keeps it alive.
    let array = unsafe { PyArray::borrow_from_array(numbers, owner.clone()) };
    // SAFETY: nobody else has the array yet. A call of `setflags` would take as long as all of the rest.
    unsafe { (*array.as_array_ptr()).fields.flags &= !NPY_ARRAY_WRITEABLE };
    array
}

/// One number a frame.
pub fn column<'py, T: Element>(
    numbers: &[T],
    owner: &Bound<'py, PyAny>,
) -> Bound<'py, PyArray1<T>> {
    view(&ArrayView1::from(numbers), owner)
}

/// Some numbers a frame, frame after frame.
pub fn rows<'py, const N: usize>(
    numbers: &[[f64; N]],
    owner: &Bound<'py, PyAny>,
) -> Answer<Bound<'py, PyArray2<f64>>> {
    let rows = ArrayView2::from_shape((numbers.len(), N), numbers.as_flattened());
    Ok(view(&rows.map_err(|error| wrong(error.to_string()))?, owner))
}

/// Frames × 3 of numbers that are stored axis after axis.
pub fn axes<'py>(numbers: &[f64], owner: &Bound<'py, PyAny>) -> Answer<Bound<'py, PyArray2<f64>>> {
    let axes = ArrayView2::from_shape((3, numbers.len() / 3), numbers);
    Ok(view(&axes.map_err(|error| wrong(error.to_string()))?.reversed_axes(), owner))
}

/// An array of its own with some numbers a frame, NaN where there is nothing.
pub fn optional_rows<'py, const N: usize>(
    py: Python<'py>,
    rows: impl IntoIterator<Item = Option<[f64; N]>>,
) -> Answer<Bound<'py, PyArray2<f64>>> {
    let numbers: Vec<f64> = rows.into_iter().flat_map(|row| row.unwrap_or([f64::NAN; N])).collect();
    let shape = [numbers.len() / N, N];
    Ok(PyArray1::from_vec(py, numbers).reshape(shape)?)
}

/// An array of its own with a number a frame, NaN where there is nothing.
pub fn optional_column<'py>(
    py: Python<'py>,
    numbers: impl IntoIterator<Item = Option<f64>>,
) -> Bound<'py, PyArray1<f64>> {
    PyArray1::from_vec(py, numbers.into_iter().map(|number| number.unwrap_or(f64::NAN)).collect())
}

/// Points of an array n × 3, in any memory order; a row with a NaN is missing.
pub fn points(array: &PyReadonlyArray2<'_, f64>) -> Answer<Vec<Option<Point3<f64>>>> {
    let array = array.as_array();
    let &[count, columns] = array.shape() else { return Err(wrong("points: need an array n x 3")) };
    if columns != 3 {
        return Err(wrong(format!("points: need an array n x 3, got {count} x {columns}")));
    }
    let point = |row: ArrayView1<'_, f64>| Point3::new(row[0], row[1], row[2]);
    let is_seen = |at: &Point3<f64>| !at.iter().any(|number| number.is_nan());
    Ok(array.rows().into_iter().map(point).map(|at| Some(at).filter(is_seen)).collect())
}

/// An array of its own, a row an entry.
pub fn own_rows<'py, T: Element, const N: usize>(
    py: Python<'py>,
    rows: impl IntoIterator<Item = [T; N]>,
) -> Answer<Bound<'py, PyArray2<T>>> {
    let numbers: Vec<T> = rows.into_iter().flatten().collect();
    let shape = [numbers.len() / N, N];
    Ok(PyArray1::from_vec(py, numbers).reshape(shape)?)
}

/// Poses of an array n × 7: a position, then a quaternion w, x, y, z; a row with a NaN is missing.
pub fn poses(array: &PyReadonlyArray2<'_, f64>) -> Answer<Vec<Option<Isometry3<f64>>>> {
    let array = array.as_array();
    if array.ncols() != 7 {
        let what = "poses: need an array n x 7 of x, y, z, qw, qx, qy, qz, got";
        return Err(wrong(format!("{what} {} x {}", array.nrows(), array.ncols())));
    }
    let pose = |row: ArrayView1<'_, f64>| {
        let wxyz = [row[3], row[4], row[5], row[6]];
        condyle::trial::pose_from_wxyz([row[0], row[1], row[2]], wxyz)
    };
    Ok(array.rows().into_iter().map(pose).collect())
}
