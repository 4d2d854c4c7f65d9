/**
 * A linear model over the features of a sentence. It was fitted by `npm run train:orders` (test/corpus/sentences) and
 * tells orders that nobody has listed from honest sentences with the same words; docs/decisions/0009 says why and how well.
 */
import { inflateRawSync } from 'node:zlib';
import { FEATURE_COUNT, type Features } from './features.ts';
import { BIAS, SCALE, WEIGHTS } from './weights.ts';

let weights: Int8Array | undefined;

/** One byte a feature, packed: most are 0. */
const getWeights = (): Int8Array => {
  if (weights !== undefined) return weights;
  const bytes = inflateRawSync(Buffer.from(WEIGHTS, 'base64'), { maxOutputLength: FEATURE_COUNT });
  weights = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  return weights;
};

/** Log odds that a sentence is an order which is not a tool's to give. */
export const scoreOf = ({ ids, values }: Features): number => {
  const known = getWeights();
  return ids.reduce((sum, id, at) => sum + (known[id] ?? 0) * SCALE * (values[at] ?? 0), BIAS);
};
