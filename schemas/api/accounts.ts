/** Users, tokens, `GET /v1/me`. */
import { type Static, Type } from 'typebox';

export const Role = Type.Union([Type.Literal('publisher'), Type.Literal('curator'), Type.Literal('administrator')]);
export type Role = Static<typeof Role>;

/** publish: publish, tag, yank, deprecate own packages. review: curate. admin: users and tokens of others. read: nothing but reads. */
export const TokenScope = Type.Union([
  Type.Literal('read'),
  Type.Literal('publish'),
  Type.Literal('review'),
  Type.Literal('admin'),
]);
export type TokenScope = Static<typeof TokenScope>;

export const Me = Type.Object({ user: Type.String(), role: Role, scopes: Type.Array(TokenScope) });
export type Me = Static<typeof Me>;

export const UserRow = Type.Object({ user: Type.String(), role: Role, createdAt: Type.String() });
export type UserRow = Static<typeof UserRow>;

export const TokenRow = Type.Object({
  id: Type.String(),
  user: Type.String(),
  scopes: Type.Array(TokenScope),
  note: Type.Union([Type.String(), Type.Null()]),
  createdAt: Type.String(),
  expires: Type.Union([Type.String(), Type.Null()]),
});
export type TokenRow = Static<typeof TokenRow>;

export const NewToken = Type.Object({
  token: Type.String(),
  id: Type.String(),
  scopes: Type.Array(TokenScope),
  expires: Type.Union([Type.String(), Type.Null()]),
});
export type NewToken = Static<typeof NewToken>;
