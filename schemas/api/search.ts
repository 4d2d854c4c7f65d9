/** `GET /v1/search`. */
import { type Static, Type } from 'typebox';
import { AgentSchema, PackageName, Version } from '../common.ts';

export const SearchResult = Type.Object({
  name: PackageName,
  version: Version,
  description: Type.String(),
  tools: Type.Array(Type.String()),
  agents: Type.Array(AgentSchema),
});
export type SearchResult = Static<typeof SearchResult>;

export const SearchAnswer = Type.Object({
  results: Type.Array(SearchResult),
  total: Type.Integer({ minimum: 0 }),
  cursor: Type.Union([Type.String(), Type.Null()]),
});
export type SearchAnswer = Static<typeof SearchAnswer>;
