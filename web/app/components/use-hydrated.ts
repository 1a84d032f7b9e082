import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False on the server and during hydration, true after: what only script can do is shown then. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
