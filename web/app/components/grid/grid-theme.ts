import { themeQuartz } from 'ag-grid-community';

/** Styles the grid with the product's own variables, so that both themes work automatically. */
export const gridTheme = themeQuartz.withParams({
  backgroundColor: 'var(--paper)',
  foregroundColor: 'var(--ink)',
  chromeBackgroundColor: 'var(--paper)',
  headerBackgroundColor: 'var(--paper)',
  headerTextColor: 'var(--ink-3)',
  headerFontWeight: 500,
  headerFontSize: 12,
  accentColor: 'var(--accent)',
  borderColor: 'var(--line)',
  rowHoverColor: 'var(--hover)',
  selectedRowBackgroundColor: 'var(--selected)',
  oddRowBackgroundColor: 'transparent',
  wrapperBorder: false,
  wrapperBorderRadius: 0,
  columnBorder: false,
  browserColorScheme: 'inherit',
  fontFamily: 'inherit',
  fontSize: 13,
  rowHeight: 32,
  headerHeight: 32,
  cellHorizontalPadding: 12,
});
