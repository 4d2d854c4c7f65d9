/** From a record to a row. */
import type { ManifestRecord } from '../../schemas/manifest.ts';
import { canonicalJson, recordDigest } from '../../tool-package/canonical.ts';
import type { Examination } from '../../tool-package/examine/index.ts';
import type { WaiverRow } from '../store/tables.ts';
import { countRecordTokens, summarize } from './summary.ts';
import { findingColumns } from './waivers.ts';

/** The columns that come from the record, its findings and the package's waivers. */
export const versionRow = (
  record: ManifestRecord,
  examination: Pick<Examination, 'findings' | 'ruleSet' | 'readme'>,
  blob: { readonly sha512: string },
  waivers: readonly WaiverRow[],
) => ({
  version: record.version,
  integrity: record.integrity,
  sha512: blob.sha512,
  archive_size: record.archiveSize,
  record: canonicalJson(record),
  record_digest: recordDigest(record),
  summary: JSON.stringify(summarize(record)),
  readme: examination.readme,
  publisher: record.publisher ?? '',
  published_at: record.publishedAt ?? '',
  state_reason: null,
  rule_set: examination.ruleSet,
  ...findingColumns(examination.findings, waivers, record.publisher ?? ''),
  tokens: countRecordTokens(record),
  yanked: null,
  deprecated: null,
});
