import { defineSignal } from '@temporalio/workflow';

/** Asks a running calculation to read the tape's notes again and to calculate all of them. */
export const calculateAgainSignal = defineSignal('calculateAgain');
