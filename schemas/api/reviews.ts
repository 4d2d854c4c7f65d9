/** `GET /v1/reviews`: versions that wait for a curator, or in the state that was asked for. */
import { type Static, Type } from 'typebox';
import { PackageName, Version } from '../common.ts';
import { Finding } from '../finding.ts';
import { ListingState, Manifest, Waiver } from '../manifest.ts';

export const Review = Type.Object({
  package: PackageName,
  version: Version,
  state: ListingState,
  publisher: Type.Union([Type.String(), Type.Null()]),
  findings: Type.Array(Finding),
  /** Those that hold for findings of this version. */
  waivers: Type.Optional(Type.Array(Waiver)),
});
export type Review = Static<typeof Review>;

export const ReviewsAnswer = Type.Object({
  reviews: Type.Array(Review),
  cursor: Type.Union([Type.String(), Type.Null()]),
});
export type ReviewsAnswer = Static<typeof ReviewsAnswer>;

export const WaiveAnswer = Type.Object({
  ok: Type.Literal(true),
  manifest: Manifest,
  /** The evidence of what this request has waived, or taken back. */
  changed: Type.Array(Type.String()),
  /** Error and review findings without a waiver: where it is empty, nothing stands in the way of an approval. */
  open: Type.Array(Finding),
});
export type WaiveAnswer = Static<typeof WaiveAnswer>;
