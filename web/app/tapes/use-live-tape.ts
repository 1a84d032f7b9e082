import { useNavigation, useRevalidator } from '@remix-run/react';
import { useEffect } from 'react';

const EVERY_MS = 1000;

/** Reads the page anew each second while work is under way and somebody looks; ends by itself. */
export function useLiveTape(isLive: boolean): void {
  const { revalidate, state } = useRevalidator();
  const isLeaving = useNavigation().state !== 'idle';
  useEffect(() => {
    // The next second begins when the answer is there, so that a slow one is never asked for twice; a page on its way would begin again.
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
