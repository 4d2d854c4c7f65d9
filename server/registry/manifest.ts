/** From a row to a manifest. */
import type { Finding } from '../../schemas/finding.ts';
import type { Manifest, ManifestRecord, ManifestStatus } from '../../schemas/manifest.ts';
import type { VersionRow } from '../store/tables.ts';

export const manifestOf = (row: VersionRow): Manifest => ({
  record: JSON.parse(row.record) as ManifestRecord,
  recordDigest: row.record_digest,
  status: {
    state: row.state,
    stateReason: row.state_reason,
    ruleSet: row.rule_set,
    findings: JSON.parse(row.findings) as Finding[],
    waivers: JSON.parse(row.waivers) as ManifestStatus['waivers'],
    tokens: row.tokens,
    yanked: row.yanked,
    deprecated: row.deprecated,
    advisories: [],
  },
});
