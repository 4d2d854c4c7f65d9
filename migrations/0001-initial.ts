/** Users, tokens, packages, versions, tags, events, jobs. */
export const statements = [
  `create table users (
     name text primary key,
     role text not null check (role in ('publisher', 'curator', 'administrator')),
     created_at text not null,
     removed_at text
   ) strict`,
  `create table tokens (
     id text primary key,
     hash text not null unique,
     user text not null references users (name),
     scopes text not null,
     note text,
     created_at text not null,
     expires_at text,
     revoked_at text
   ) strict`,
  'create index tokens_by_user on tokens (user)',
  `create table packages (
     id integer primary key,
     name text not null unique,
     skeleton text not null unique,
     revision integer not null,
     created_at text not null,
     latest text,
     description text not null,
     agents text not null,
     tools text not null
   ) strict`,
  `create table owners (
     package_id integer not null references packages (id),
     user text not null,
     added_at text not null,
     primary key (package_id, user)
   ) strict, without rowid`,
  `create table versions (
     id integer primary key,
     package_id integer not null references packages (id),
     version text not null,
     integrity text not null,
     sha512 text not null,
     archive_size integer not null,
     record text not null,
     record_digest text not null,
     summary text not null,
     readme text,
     publisher text not null,
     published_at text not null,
     publish_tag text,
     state text not null check (state in ('pending', 'listed', 'rejected', 'quarantined')),
     state_reason text,
     rule_set text not null,
     findings text not null,
     waivers text not null,
     tokens integer not null,
     yanked text,
     deprecated text,
     unique (package_id, version)
   ) strict`,
  'create index versions_by_sha512 on versions (sha512)',
  'create index versions_by_state on versions (state, id)',
  `create table tags (
     package_id integer not null references packages (id),
     tag text not null,
     version text not null,
     primary key (package_id, tag)
   ) strict, without rowid`,
  `create table events (
     id integer primary key autoincrement,
     at text not null,
     actor text not null,
     kind text not null,
     package text,
     version text,
     detail text not null
   ) strict`,
  'create index events_by_package on events (package, id)',
  `create table jobs (
     id text primary key,
     kind text not null,
     payload text not null,
     due_at integer not null,
     lease_until integer,
     lease_holder text,
     attempts integer not null default 0
   ) strict`,
  'create index jobs_by_due on jobs (due_at)',
] as const;
