import type { ItemState } from '@tapeline/domain/deliverables/deliverable-labels.ts';
import type { Tone } from '../../../components/page/chip.tsx';

export const ITEMS_PER_PAGE = 50;

export const ITEM_TONES: Readonly<Record<ItemState, Tone>> = {
  late: 'danger',
  received: 'warning',
  due: 'neutral',
  accepted: 'good',
  waived: 'accent',
};

/** The steps of an item that have a form of their own. */
export type ItemStep = 'send' | 'return' | 'waive' | 'withdraw' | 'remind';
