/** From a row to a manifest. */
import type { Finding } from '../../schemas/finding.ts';
import type { Manifest, ManifestRecord } from '../../schemas/manifest.ts';
import type { VersionRow } from '../store/tables.ts';
import { readWaivers } from './waivers.ts';

export const manifestOf = (row: VersionRow): Manifest => ({
  record: JSON.parse(row.record) as ManifestRecord,
  recordDigest: row.record_digest,
  status: {
    state: row.state,
    stateReason: row.state_reason,
    ruleSet: row.rule_set,
    findings: JSON.parse(row.findings) as Finding[],
    ...readWaivers(row),
    tokens: row.tokens,
    yanked: row.yanked,
    deprecated: row.deprecated,
    advisories: [],
  },
});
