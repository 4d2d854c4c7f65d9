import { tool } from '@opencode-ai/plugin';
import * as decimal from '../decimal.ts';

// Two exports of math.ts: the agents call them math_add and math_multiply.

export const add = tool({
  description: 'Add two numbers exactly',
  args: {
    a: tool.schema.number().describe('First number'),
    b: tool.schema.number().describe('Second number'),
  },
  async execute(args) {
    return decimal.add(args.a, args.b);
  },
});

export const multiply = tool({
  description: 'Multiply two numbers exactly',
  args: {
    a: tool.schema.number().describe('First number'),
    b: tool.schema.number().describe('Second number'),
  },
  async execute(args) {
    return decimal.multiply(args.a, args.b);
  },
});
