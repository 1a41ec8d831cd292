export interface Eigen {
    values: [number, number, number];
    vectors: [number, number, number][];
}

/** Eigenvalues and vectors of a symmetric 3 x 3 matrix, row after row, by Jacobi's rotations. */
export function eigen(matrix: readonly number[]): Eigen {
    const a = [0, 1, 2].map((row) => [0, 1, 2].map((column) => matrix[3 * row + column] ?? 0));
    const v = [0, 1, 2].map((row) => [0, 1, 2].map((column) => Number(row === column)));
    for (let sweep = 0; sweep < 12; sweep += 1) {
        for (const [p, q] of [
            [0, 1],
            [0, 2],
            [1, 2],
        ] as const) {
            if (Math.abs(a[p]![q]!) < 1e-30) {
                continue;
            }
            const theta = (a[q]![q]! - a[p]![p]!) / (2 * a[p]![q]!);
            const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
            const c = 1 / Math.sqrt(t * t + 1);
            const s = t * c;
            for (let k = 0; k < 3; k += 1) {
                const [x, y] = [a[k]![p]!, a[k]![q]!];
                [a[k]![p], a[k]![q]] = [c * x - s * y, s * x + c * y];
            }
            for (let k = 0; k < 3; k += 1) {
                const [x, y] = [a[p]![k]!, a[q]![k]!];
                [a[p]![k], a[q]![k]] = [c * x - s * y, s * x + c * y];
                const [m, n] = [v[k]![p]!, v[k]![q]!];
                [v[k]![p], v[k]![q]] = [c * m - s * n, s * m + c * n];
            }
        }
    }
    const column = (k: number): [number, number, number] => [v[0]![k]!, v[1]![k]!, v[2]![k]!];
    return { values: [a[0]![0]!, a[1]![1]!, a[2]![2]!], vectors: [column(0), column(1), column(2)] };
}
