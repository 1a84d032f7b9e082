import type { ShouldRevalidateFunction } from '@remix-run/react';

/** A refused save reads the page again, so that it shows what others changed. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionStatus, defaultShouldRevalidate }) =>
  defaultShouldRevalidate || actionStatus === 422;
