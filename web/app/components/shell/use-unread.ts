import { useLocation, useNavigation, useRevalidator } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { paths } from '../../paths.ts';

/** When to try again after the server has refused the stream. */
const AFTER_REFUSAL_MS = 60_000;

/** Calls back with the number of unread notifications, at once and whenever the server reports it. */
function listen(onUnread: (unread: number) => void): () => void {
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    clearTimeout(retry);
    source?.close();
    source = null;
  };
  const open = () => {
    // Browsers allow few connections to one server, so hidden pages do not hold any.
    if (source || document.visibilityState !== 'visible') return;
    clearTimeout(retry);
    const opened = new EventSource(paths.notificationStream());
    source = opened;
    opened.addEventListener('unread', ({ data }: MessageEvent<string>) => onUnread(Number(data)));
    opened.addEventListener('signedOut', () => opened.close());
    opened.addEventListener('error', () => {
      if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
      source = null;
      retry = setTimeout(open, AFTER_REFUSAL_MS);
    });
  };
  const onVisibility = () => (document.visibilityState === 'visible' ? open() : close());
  document.addEventListener('visibilitychange', onVisibility);
  open();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    close();
  };
}

/**
 * How many notifications the user has not read, kept current while the page is visible. The list of notifications is
 * reloaded when it changes.
 * @param loaded the number when the page was loaded, which is all there is without JavaScript
 */
export function useUnread(loaded: number): number {
  const [unread, setUnread] = useState(loaded);
  useEffect(() => setUnread(loaded), [loaded]);
  // Counts the reports, because a list can change while the number of unread ones stays the same.
  const [reports, setReports] = useState(0);
  const [listed, setListed] = useState(0);
  useEffect(
    () =>
      listen((count) => {
        setUnread(count);
        setReports((before) => before + 1);
      }),
    [],
  );
  const { revalidate, state } = useRevalidator();
  const isIdle = useNavigation().state === 'idle' && state === 'idle';
  const isList = useLocation().pathname === paths.notifications();
  useEffect(() => {
    if (!isIdle || listed === reports) return;
    setListed(reports);
    // The first report comes when the page has just been loaded, and usually repeats what it shows.
    if (isList && (reports > 1 || unread !== loaded)) revalidate();
  }, [isIdle, isList, listed, reports, unread, loaded, revalidate]);
  return unread;
}
