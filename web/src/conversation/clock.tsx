/** Created once, because creating one takes longer than rendering a row. */
const time = { hour: '2-digit', minute: '2-digit' } as const;
const ofToday = new Intl.DateTimeFormat([], time);
const ofAnotherDay = new Intl.DateTimeFormat([], { ...time, month: 'short', day: 'numeric' });

const today = (date: Date): boolean => date.toDateString() === new Date().toDateString();

/** The time, and the date if it is not today. */
export function Clock({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time class="faint small clock" dateTime={at} title={date.toLocaleString()}>
      {(today(date) ? ofToday : ofAnotherDay).format(date)}
    </time>
  );
}
