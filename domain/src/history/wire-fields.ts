import { isDecimal } from '../money/decimal.ts';
import { exactNumber } from '../wire/json.ts';
import { type Difference, isRecord, pathOf, type Step } from './differences.ts';

/** Names that the API gives fields which the history records by another name. A list of ids has its name without them. */
const WIRE_NAMES: Readonly<Record<string, string>> = {
  acceptingGenerationId: 'acceptingGeneration',
  companyId: 'company',
  contractId: 'contract',
  entityId: 'entity',
  entityIds: 'entities',
  fileId: 'fileMetadata',
  fundId: 'fund',
  fundIds: 'filters.funds',
  generationId: 'generation',
  gpIds: 'GPs',
  groupId: 'group',
  investorFundId: 'investor.id',
  investorIds: 'filters.investors',
  investorKind: 'investor.kind',
  investorLPId: 'investor.id',
  mainFundId: 'mainFund',
  managementCompanyId: 'managementCompany',
  mappingId: 'assetsETL',
  mappingVersion: 'assetsETLVersion',
  purposes: 'callPurposes',
  roleId: 'role',
  tapeId: 'loanTape',
  transactionId: 'transaction',
  userId: 'user',
};

/** Fields that are numbers on the wire. The history keeps the digits of decimals as text. */
const NUMBERS: ReadonlySet<string> = new Set([
  'activeCommitment',
  'amount',
  'attachmentPoint',
  'detachmentPoint',
  'faceValue',
  'firstBB',
  'gross',
  'hardCap',
  'holdingPercentage',
  'max',
  'maxCommitment',
  'min',
  'net',
  'netBB',
  'overallCap',
  'principal',
  'raised',
  'rate',
  'sum',
  'targetSize',
  'valueInUSD',
  'valueInUsd',
]);

export const isWireNumber = (name: string): boolean => NUMBERS.has(name);

/** A value as the API writes it, with decimals as numbers, also those inside. */
function wireValue(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => wireValue(name, entry));
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, wireValue(key, inner)]));
  return typeof value === 'string' && NUMBERS.has(name) && isDecimal(value) ? exactNumber(value) : value;
}

/** Whom a document belongs to is its association: its manager, and the party that a user acts for. */
const ASSOCIATIONS: Readonly<Record<string, string>> = { managerId: 'manager', lpId: 'LP', lpGroupId: 'LPGroup' };

function associationOf(resource: string, field: string): string | null {
  if (Object.hasOwn(ASSOCIATIONS, field)) return ASSOCIATIONS[field]!;
  return resource === 'users' && field === 'companyId' ? 'company' : null;
}

/** The name that the API gives a field of a document: `GPs` for `gpIds`, `assoc` for `managerId`. */
export const wireFieldOf = (resource: string, field: string): string =>
  associationOf(resource, field) === null ? (WIRE_NAMES[field] ?? field.replace(/Ids$/, 's')) : 'assoc';

/** A difference as the API writes it: with the names and the numbers of the document's own calls. */
export function wireDifference(
  resource: string,
  { steps, old, new: now }: Pick<Difference, 'steps' | 'old' | 'new'>,
): { field: string; old: unknown; new: unknown } {
  const [first, ...rest] = steps;
  const last = steps.findLast((step) => step.kind === 'field');
  const [field, name] = [first, last].map((step) => (step?.kind === 'field' ? step.name : ''));
  const key = associationOf(resource, field ?? '');
  if (key !== null) {
    const assoc = (id: unknown) => (id === null || id === undefined ? null : { [key]: { id } });
    return { field: 'assoc', old: assoc(old), new: assoc(now) };
  }
  const named: Step = { kind: 'field', name: wireFieldOf(resource, field ?? '') };
  return { field: pathOf([named, ...rest]), old: wireValue(name ?? '', old), new: wireValue(name ?? '', now) };
}
