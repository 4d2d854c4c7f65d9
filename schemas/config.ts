/** The user's configuration and credentials below `$XDG_CONFIG_HOME/pi-tools`. */
import { type Static, Type } from 'typebox';

export const UserConfig = Type.Object({
  registry: Type.Optional(Type.String()),
  registries: Type.Optional(Type.Record(Type.String(), Type.String())),
});
export type UserConfig = Static<typeof UserConfig>;

/** Origin -> token. A token is only ever sent to the origin it was stored for. */
export const Credentials = Type.Object({
  tokens: Type.Record(Type.String(), Type.Object({ token: Type.String(), user: Type.String() })),
});
export type Credentials = Static<typeof Credentials>;
