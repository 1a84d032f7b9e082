import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type {
  ConcentrationRule,
  ContractRule,
  ContractValue,
  TransactionContract,
} from '@tapeline/domain/facilities/contract.schema.ts';
import type { FieldCatalog } from '@tapeline/domain/filters/catalog.ts';
import type { Phrase } from '@tapeline/domain/filters/sentence.ts';
import { formatCount, formatFigure } from '../figures/format.ts';
import { itemsOf, type Section } from './sections.ts';
import { type Said, sayConcentration, sayFilter, sayValue, textOf } from './sentences.ts';

/** One rule, scope, case or value as its list shows it. */
export interface ItemView {
  index: number;
  title: string;
  description: string | null;
  phrases: readonly Phrase[];
  /** Why the sentence could not be made. */
  fault: string | null;
  /** When it applies, what it passes over, what it was before. */
  notes: readonly string[];
  enabled: boolean;
  /** Of an advance-rate case. */
  ratePercent: number | null;
}

function whenApplied({ startDate, expirationDate }: ContractRule): string {
  if (startDate && expirationDate)
    return `from ${formatCalendarDate(startDate)}, before ${formatCalendarDate(expirationDate)}`;
  if (startDate) return `from ${formatCalendarDate(startDate)}`;
  return expirationDate ? `before ${formatCalendarDate(expirationDate)}` : 'always';
}

function exceptionsOf({ exceptions }: ContractRule): string {
  if (exceptions.length === 0) return 'no exceptions';
  const byAsset = exceptions.filter((exception) => exception.assetId !== undefined).length;
  return [
    byAsset > 0 ? `${formatCount(byAsset, 'exception')} by asset` : null,
    exceptions.length > byAsset ? `${formatCount(exceptions.length - byAsset, 'exception')} by condition` : null,
  ]
    .filter((part) => part !== null)
    .join(', ');
}

/** The sentence of an item of any part. */
export function sayItem(section: Section, item: unknown, catalog: FieldCatalog): Said {
  if (section === 'concentration') return sayConcentration(item as ConcentrationRule, catalog);
  if (section === 'values') return sayValue(item as ContractValue, catalog);
  const { filter, scope } = item as ContractRule & { scope?: string | null };
  const said = sayFilter(filter, catalog);
  if (!scope) return said;
  return { ...said, phrases: [...said.phrases, { text: ' in ', kind: 'word' }, { text: scope, kind: 'value' }] };
}

/** The items of one part, each beside what it was under `before` (the contract it is compared with). */
export function viewItems(
  contract: TransactionContract,
  section: Section,
  catalog: FieldCatalog,
  before: { contract: TransactionContract; name: string } | null,
): ItemView[] {
  const earlier = before ? itemsOf(before.contract, section) : [];
  return itemsOf(contract, section).map((item, index): ItemView => {
    const { phrases, fault } = sayItem(section, item, catalog);
    const rule = item as unknown as ContractRule & { rate?: number; scope?: string | null };
    const dated = section === 'eligibility' || section === 'performance' || section === 'concentration';
    const was = earlier.find((other) => other.title === item.title);
    const wasSaid = was ? textOf(sayItem(section, was, catalog).phrases) : null;
    const wasRate = (was as { rate?: number } | undefined)?.rate;
    const notes = [
      ...(dated ? [whenApplied(rule)] : []),
      ...(section === 'advance' && !rule.scope ? ['in every scope'] : []),
      ...(before && !was ? [`new since ${before.name}`] : []),
      ...(before && wasSaid !== null && wasSaid !== textOf(phrases) ? [`was “${wasSaid}” in ${before.name}`] : []),
      ...(before && wasRate !== undefined && wasRate !== rule.rate
        ? [`was ${formatFigure(wasRate)} % in ${before.name}`]
        : []),
      ...(dated ? [exceptionsOf(rule)] : []),
    ];
    return {
      index,
      title: item.title,
      description: typeof item.description === 'string' && item.description ? item.description : null,
      phrases,
      fault,
      notes,
      enabled: rule.enabled ?? true,
      ratePercent: rule.rate ?? null,
    };
  });
}
