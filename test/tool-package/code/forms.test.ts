/** Kinds of poisoned and honest code, one small tool each: what was missed or wrongly found once, stays found or silent. */
import { describe, expect, it } from 'vitest';
import { checkCode } from './check-code.ts';
import { type Form, sourceOf } from './form.ts';
import { FORMS as HONEST } from './forms-honest.ts';
import { FORMS as PATCHES } from './forms-patches.ts';
import { FORMS as SECRETS } from './forms-secrets.ts';
import { FORMS as SHELLS } from './forms-shells.ts';
import { FORMS as THEFTS } from './forms-thefts.ts';

const graveRules = (form: Form): string[] =>
  checkCode(sourceOf(form), form.permissions)
    .filter(({ level }) => level === 'review' || level === 'error')
    .map(({ rule, message }) => `${rule} ${message}`);

const POISONED = [
  { rule: 'code/exfiltration', forms: THEFTS },
  { rule: 'code/shell', forms: SHELLS },
  { rule: 'code/host-patch', forms: PATCHES },
  { rule: 'code/secret', forms: SECRETS },
];

for (const { rule, forms } of POISONED)
  describe(rule, () => {
    it.each(forms.map((form) => [form.label, form] as const))('finds: %s', (_label, form) => {
      expect(graveRules(form).filter((found) => found.startsWith(`${rule} `))).not.toEqual([]);
    });
  });

describe('honest code', () => {
  it.each(HONEST.map((form) => [form.label, form] as const))('is left alone: %s', (_label, form) => {
    expect(graveRules(form)).toEqual([]);
  });
});
