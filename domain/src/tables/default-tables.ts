import { INDUSTRIES } from '../entities/industries.ts';
import { LIST_NAMES, type TableCreate } from './table.schema.ts';

const option = (title: string) => ({ title, isRetired: false, date: null, rate: null });

/** The option lists that a new manager starts with. Base rates have no fixings until somebody enters them. */
export const DEFAULT_TABLES: readonly TableCreate[] = [
  { name: LIST_NAMES.baseRates, values: [] },
  {
    name: LIST_NAMES.callPurposes,
    values: ['Investments', 'Management fee', 'Partnership expenses', 'Organizational expenses', 'Working capital'].map(
      option,
    ),
  },
  {
    name: LIST_NAMES.feeKinds,
    values: [
      'Upfront',
      'Arrangement',
      'Unused line',
      'Agency',
      'Monitoring',
      'Amendment',
      'Prepayment',
      'Exit',
      'Collateral verification',
      'Backup servicing',
    ].map(option),
  },
  { name: LIST_NAMES.industries, values: INDUSTRIES.map(option) },
];
