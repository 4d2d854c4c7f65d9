/** Waivers; how many findings of a version nobody has decided on; finding versions that other rules have judged. */
export const statements = [
  `create table waivers (
     id integer primary key,
     package_id integer not null references packages (id),
     rule text not null,
     evidence text not null,
     version text not null,
     message text not null,
     file text,
     user text not null,
     by_administrator integer not null check (by_administrator in (0, 1)),
     reason text not null,
     at text not null,
     unique (package_id, evidence, user)
   ) strict`,
  'alter table versions add column open_findings integer not null default 0',
  `update versions set open_findings = (
     select count(*) from json_each(versions.findings)
     where json_extract(json_each.value, '$.level') in ('error', 'review')
   )`,
  'create index versions_by_open_findings on versions (state, id) where open_findings > 0',
  'create index versions_by_rule_set on versions (rule_set, id)',
] as const;
