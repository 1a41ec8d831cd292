// Condyle in a browser or in Node: a recording's bytes in, its joints out.

/** Loads the module from its bytes. */
export async function load(module) {
    const { instance } = await WebAssembly.instantiate(module);
    const condyle = instance.exports;
    const view = (type, at, length) => new type(condyle.memory.buffer, at, length);

    /**
     * Runs the job on the bytes of a recording; throws what is wrong with it. Positions are metres, three a frame;
     * where `placed` is 0 they mean nothing. Both look into the module's memory and last until the next run.
     */
    function run(recording) {
        const at = condyle.condyle_recording(recording.length);
        view(Uint8Array, at, recording.length).set(recording);
        const isRun = condyle.condyle_run();
        const text = view(Uint8Array, condyle.condyle_report(), condyle.condyle_report_bytes());
        const report = JSON.parse(new TextDecoder().decode(text));
        if (!isRun) {
            throw new Error(report.error);
        }
        const { frames } = report;
        report.performers.forEach((performer, index) => {
            performer.joints = performer.joints.map((name, joint) => ({
                name,
                positions_m: view(Float64Array, condyle.condyle_joint_m(index, joint), 3 * frames),
                placed: view(Uint8Array, condyle.condyle_joint_placed(index, joint), frames),
            }));
        });
        return report;
    }

    return { run };
}
