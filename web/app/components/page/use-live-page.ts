import { useNavigation, useRevalidator } from '@remix-run/react';
import { useEffect } from 'react';

const EVERY_MS = 1000;

/** Reloads the page data every second while work is in progress and the page is visible. Stops by itself. */
export function useLivePage(isLive: boolean): void {
  const { revalidate, state } = useRevalidator();
  const isLeaving = useNavigation().state !== 'idle';
  useEffect(() => {
    // The timer starts after the response arrives, so that slow requests do not overlap. A pending navigation would be
    // restarted.
    if (!isLive || isLeaving || state !== 'idle') return;
    const timer = setTimeout(() => {
      if (document.visibilityState === 'visible') revalidate();
    }, EVERY_MS);
    const wake = () => document.visibilityState === 'visible' && revalidate();
    document.addEventListener('visibilitychange', wake);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', wake);
    };
  }, [isLive, isLeaving, state, revalidate]);
}
