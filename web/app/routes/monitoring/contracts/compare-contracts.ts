import { LIMIT_OVERLAP_LABELS, type TransactionContract } from '@tapeline/domain/facilities/contract.schema.ts';
import type { FieldCatalog } from '@tapeline/domain/filters/catalog.ts';
import { formatFigure } from '../../../components/figures/format.ts';
import { CERTIFYING_LABELS, certifyingOf } from './certifying-labels.ts';
import { describeItem } from './item-views.ts';
import { type ContractSection, SECTIONS, sectionItems } from './sections.ts';
import { phrasesText } from './sentences.ts';
import { tapeLimitsInWords } from './tape-limits-in-words.ts';

export interface ContractChange {
  section: ContractSection;
  title: string;
  kind: 'added' | 'removed' | 'changed' | 'moved';
  before: string | null;
  after: string | null;
}

/**
 * Serializes with sorted object keys and without undefined or null values, so that equivalent items compare as equal.
 */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(
          Object.entries(part)
            .filter(([, held]) => held !== null && held !== undefined)
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : part,
  );
}

const PARTS_IN_WORDS: Readonly<Record<string, string>> = {
  startDate: 'from',
  expirationDate: 'before',
  enabled: 'on',
  rate: 'rate',
  scope: 'scope',
  description: 'description',
  topN: 'largest',
  skipN: 'exempt',
};

/** An item in words: its sentence, and the other parts that differ from `other`. */
function inWords(
  section: ContractSection,
  item: Record<string, unknown>,
  other: Record<string, unknown> | null,
  catalog: FieldCatalog,
): string {
  const sentence = phrasesText(describeItem(section, item, catalog).phrases);
  const differing = Object.entries(PARTS_IN_WORDS).flatMap(([part, said]) => {
    const [mine, theirs] = [item[part] ?? null, other?.[part] ?? null];
    if (mine === theirs) return [];
    if (mine === null) return [`no ${said}`];
    if (mine === true) return ['enabled'];
    if (mine === false) return ['disabled'];
    return [`${said} ${part === 'rate' ? `${formatFigure(Number(mine))}%` : mine}`];
  });
  const exceptions = Array.isArray(item.exceptions) ? item.exceptions.length : 0;
  const othersExceptions = Array.isArray(other?.exceptions) ? other.exceptions.length : 0;
  if (other && canonical(item.exceptions ?? []) !== canonical(other.exceptions ?? [])) {
    differing.push(exceptions === othersExceptions ? 'changed exceptions' : `${exceptions} exceptions`);
  }
  return other === null || differing.length === 0 ? sentence : `${sentence} (${differing.join(', ')})`;
}

/** What changed from one contract to another, part by part. Items are matched by title. */
export function compareContracts(
  before: TransactionContract,
  after: TransactionContract,
  catalog: FieldCatalog,
): ContractChange[] {
  const changes = SECTIONS.flatMap((section): ContractChange[] => {
    const [old, now] = [sectionItems(before, section), sectionItems(after, section)];
    const oldByTitle = new Map(old.map((item) => [item.title, item]));
    const kept = new Set(now.map((item) => item.title));
    const order = old.filter((item) => kept.has(item.title)).map((item) => item.title);
    const shared = now.filter((item) => oldByTitle.has(item.title)).map((item) => item.title);
    return [
      ...now.flatMap((item): ContractChange[] => {
        const was = oldByTitle.get(item.title);
        const { title } = item;
        if (!was)
          return [{ section, title, kind: 'added', before: null, after: inWords(section, item, null, catalog) }];
        if (canonical(was) !== canonical(item)) {
          return [
            {
              section,
              title,
              kind: 'changed',
              before: inWords(section, was, item, catalog),
              after: inWords(section, item, was, catalog),
            },
          ];
        }
        const [from, to] = [order.indexOf(title), shared.indexOf(title)];
        if (from === to) return [];
        return [{ section, title, kind: 'moved', before: `position ${from + 1}`, after: `position ${to + 1}` }];
      }),
      ...old.flatMap((item): ContractChange[] =>
        kept.has(item.title)
          ? []
          : [
              {
                section,
                title: item.title,
                kind: 'removed',
                before: inWords(section, item, null, catalog),
                after: null,
              },
            ],
      ),
    ];
  });
  const [oldRate, rate] = [before.advanceRate.defaultRate, after.advanceRate.defaultRate];
  if (oldRate !== rate) {
    changes.push({
      section: 'advance',
      title: 'Default rate',
      kind: 'changed',
      before: `${formatFigure(oldRate)}%`,
      after: `${formatFigure(rate)}%`,
    });
  }
  if (before.overlap !== after.overlap) {
    changes.push({
      section: 'concentration',
      title: 'Overlapping limits',
      kind: 'changed',
      before: LIMIT_OVERLAP_LABELS[before.overlap],
      after: LIMIT_OVERLAP_LABELS[after.overlap],
    });
  }
  const [oldCertifying, certifying] = [before, after].map(certifyingInWords);
  if (oldCertifying !== certifying) {
    changes.push({
      section: 'advance',
      title: 'The borrower certifies',
      kind: 'changed',
      before: oldCertifying ?? null,
      after: certifying ?? null,
    });
  }
  const [oldLimits, limits] = [before, after].map(tapeLimitsInWords);
  if (oldLimits !== limits) {
    changes.push({
      section: 'advance',
      title: 'Tapes are confirmed before publishing',
      kind: 'changed',
      before: oldLimits ?? null,
      after: limits ?? null,
    });
  }
  return changes;
}

const certifyingInWords = (terms: Pick<TransactionContract, 'certification'>): string =>
  [CERTIFYING_LABELS[certifyingOf(terms)], terms.certification?.text].filter(Boolean).join(': ');
