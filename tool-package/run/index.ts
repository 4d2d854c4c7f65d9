/** The agents' call pipelines, for tests, quickstart and `try`. */
export { prepareModule, usePreparedModule } from './load-module.ts';
export { callTool, type EarlierResult, type LoadedExtension, loadPiExtension } from './pi.ts';
export { argumentFault, callSlopcodeTool, type LoadedTools, loadSlopcodeTools } from './slopcode.ts';
