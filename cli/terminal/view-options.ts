import type { Context } from '../command.ts';
import type { ViewOptions } from './package-view.ts';

/** What the views need to know of the terminal. */
export const viewOptions = (context: Context): ViewOptions => ({
  style: context.terminal.style,
  columns: context.terminal.columns,
  now: context.environment.now(),
});
