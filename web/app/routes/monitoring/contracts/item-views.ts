import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type {
  ConcentrationRule,
  ContractOffset,
  ContractReserve,
  ContractRule,
  ContractValue,
  EligibilityRule,
  TransactionContract,
} from '@tapeline/domain/facilities/contract.schema.ts';
import type { FieldCatalog } from '@tapeline/domain/filters/catalog.ts';
import type { Phrase } from '@tapeline/domain/filters/sentence.ts';
import { formatCount, formatFigure } from '../../../components/figures/format.ts';
import { type ContractSection, PARTS, sectionItems } from './sections.ts';
import {
  describeConcentration,
  describeEligibility,
  describeFilter,
  describeOffset,
  describeReserve,
  describeValue,
  phrasesText,
  type Said,
} from './sentences.ts';

/** One rule, scope, case or value as shown in its list. */
export interface ItemView {
  index: number;
  title: string;
  description: string | null;
  phrases: readonly Phrase[];
  /** Why the sentence could not be generated. */
  problem: string | null;
  /** When it applies, which assets it exempts, and its previous state. */
  notes: readonly string[];
  enabled: boolean;
  /** Only for an advance-rate case. */
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

/** The sentence for an item of any part. */
export function describeItem(section: ContractSection, item: unknown, catalog: FieldCatalog): Said {
  if (section === 'concentration') return describeConcentration(item as ConcentrationRule, catalog);
  if (section === 'eligibility') return describeEligibility(item as EligibilityRule, catalog);
  if (section === 'values') return describeValue(item as ContractValue, catalog);
  if (section === 'offsets') return describeOffset(item as ContractOffset, catalog);
  if (section === 'reserves') return describeReserve(item as ContractReserve);
  const { filter, scope } = item as ContractRule & { scope?: string | null };
  const said = describeFilter(filter, catalog);
  if (!scope) return said;
  return { ...said, phrases: [...said.phrases, { text: ' in ', kind: 'word' }, { text: scope, kind: 'value' }] };
}

/** The items of one part, each with its state under `before` (the contract it is compared with). */
export function viewItems(
  contract: TransactionContract,
  section: ContractSection,
  catalog: FieldCatalog,
  before: { contract: TransactionContract; name: string } | null,
): ItemView[] {
  const earlier = before ? sectionItems(before.contract, section) : [];
  return sectionItems(contract, section).map((item, index): ItemView => {
    const { phrases, problem } = describeItem(section, item, catalog);
    const rule = item as unknown as ContractRule & { rate?: number; scope?: string | null };
    const { isRule, conditions } = PARTS[section];
    const was = earlier.find((other) => other.title === item.title);
    const wasSaid = was ? phrasesText(describeItem(section, was, catalog).phrases) : null;
    const wasRate = (was as { rate?: number } | undefined)?.rate;
    const notes = [
      ...(isRule ? [whenApplied(rule)] : []),
      ...(section === 'advance' && !rule.scope ? ['in all scopes'] : []),
      ...(before && !was ? [`new since ${before.name}`] : []),
      ...(before && wasSaid !== null && wasSaid !== phrasesText(phrases) ? [`was “${wasSaid}” in ${before.name}`] : []),
      ...(before && wasRate !== undefined && wasRate !== rule.rate
        ? [`was ${formatFigure(wasRate)}% in ${before.name}`]
        : []),
      ...(isRule && conditions ? [exceptionsOf(rule)] : []),
    ];
    return {
      index,
      title: item.title,
      description: typeof item.description === 'string' && item.description ? item.description : null,
      phrases,
      problem,
      notes,
      enabled: rule.enabled ?? true,
      ratePercent: rule.rate ?? null,
    };
  });
}
