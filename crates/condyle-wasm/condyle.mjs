// Condyle in a browser or in Node: a recording's bytes in, its joints out.

/** Loads the module from its bytes. */
export async function load(module) {
    const { instance } = await WebAssembly.instantiate(module);
    const condyle = instance.exports;
    const view = (type, at, length) => new type(condyle.memory.buffer, at, length);

    /**
     * Runs the main job on the bytes of a recording, with options as the library has them; throws what is wrong.
     * Positions are metres, three numbers a frame; where `placed` is 0 they are NaN. Both look into the
     * module's memory and last until the next run.
     */
    function run(recording, options = {}) {
        const text = new TextEncoder().encode(JSON.stringify(options));
        view(Uint8Array, condyle.condyle_options(text.length), text.length).set(text);
        view(Uint8Array, condyle.condyle_recording(recording.length), recording.length).set(recording);
        const isRun = condyle.condyle_run();
        const answer = view(Uint8Array, condyle.condyle_report(), condyle.condyle_report_bytes());
        const report = JSON.parse(new TextDecoder().decode(answer));
        if (!isRun) {
            throw new Error(report.error);
        }
        report.performers.forEach(({ joints }, performer) => {
            joints.forEach((joint, index) => {
                const [positions, placed] = [condyle.condyle_joint_m, condyle.condyle_joint_placed];
                joint.positions_m = view(Float64Array, positions(performer, index), 3 * report.frames);
                joint.placed = view(Uint8Array, placed(performer, index), report.frames);
            });
        });
        return report;
    }

    return { run };
}
