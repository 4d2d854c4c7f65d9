/** `GET /v1/reviews`: versions that wait for a curator, or in the state that was asked for. */
import { type Static, Type } from 'typebox';
import { PackageName, Version } from '../common.ts';
import { Finding } from '../finding.ts';
import { ListingState } from '../manifest.ts';

export const Review = Type.Object({
  package: PackageName,
  version: Version,
  state: ListingState,
  publisher: Type.Union([Type.String(), Type.Null()]),
  findings: Type.Array(Finding),
});
export type Review = Static<typeof Review>;

export const ReviewsAnswer = Type.Object({
  reviews: Type.Array(Review),
  cursor: Type.Union([Type.String(), Type.Null()]),
});
export type ReviewsAnswer = Static<typeof ReviewsAnswer>;
