/** The agents' call pipelines, for tests, quickstart and `try`. */
export { callTool, type EarlierResult, type LoadedExtension, loadPiExtension } from './pi.ts';
export { callSlopcodeTool, type LoadedTools, loadSlopcodeTools } from './slopcode.ts';
