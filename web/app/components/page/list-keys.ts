import { useEffect, useRef } from 'react';
import { isTyping } from '../shell/typing.ts';

/**
 * `j` moves to the next and `k` to the previous item of a list. Not while the person types or a dialog is open.
 * @param others what other keys do
 */
export function useListKeys(move: (step: 1 | -1) => void, others: (event: KeyboardEvent) => void = () => {}): void {
  const latest = useRef({ move, others });
  latest.current = { move, others };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('[role="alertdialog"], [role="dialog"]')) return;
      if (event.key === 'j' || event.key === 'k') latest.current.move(event.key === 'j' ? 1 : -1);
      else latest.current.others(event);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
