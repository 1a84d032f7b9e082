/** The logo mark without the name: lines of a tape on a rounded square, in the accent colour. */
export function BrandMark({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 22 22" aria-hidden="true" className="flex-none">
      <rect width="22" height="22" rx="5" fill="var(--accent)" />
      <path d="M5 7h12M5 11h9M5 15h5" stroke="var(--accent-ink)" strokeWidth="2.2" strokeLinecap="round" />
    </svg>
  );
}
