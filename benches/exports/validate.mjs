// The Khronos validator's findings on a file, as JSON.
import { readFileSync } from "node:fs";
import validator from "gltf-validator";

const bytes = new Uint8Array(readFileSync(process.argv[2]));
const report = await validator.validateBytes(bytes, { maxIssues: 0 });
const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
console.log(JSON.stringify({ version: validator.version(), numErrors, numWarnings, numInfos, numHints, messages }));
