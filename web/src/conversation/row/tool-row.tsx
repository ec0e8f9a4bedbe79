import { durationInWords } from 'rouse/contract/display';
import type { ProcessId } from 'rouse/contract/ids';
import { Icon } from '../../look/icon';
import { now } from '../../look/ago';
import { goToProcess } from '../../state/route';
import { safeText } from '../../look/safe-text';
import type { RowOf, ToolState } from '../row';
import { CollapsibleRow } from './collapsible-row';
import { Output } from './output';
import { mainInput, wholeInput } from './tool-input';

export const ToolRow = ({ row }: { readonly row: RowOf<'tool'> }) => (
  <CollapsibleRow
    name={row.key}
    icon="tool"
    label={safeText(row.tool)}
    line={<span class="mono">{mainInput(row.input)}</span>}
    after={
      <>
        {'process' in row.state && row.state.process && <ToProcess process={row.state.process} />}
        <span class="fold-state">
          <State state={row.state} at={row.at} />
        </span>
      </>
    }
  >
    {() => (
      <>
        <p class="fold-head">Input</p>
        <Output text={wholeInput(row.input)} name={`${row.key} input`} label="Input" />
        {'result' in row.state && (
          <>
            <p class="fold-head">Result</p>
            <Output text={row.state.result} name={`${row.key} result`} label="Result" />
          </>
        )}
      </>
    )}
  </CollapsibleRow>
);

const ToProcess = ({ process }: { readonly process: ProcessId }) => (
  <button
    class="process-link"
    title={`Show ${process}`}
    aria-label={`Show process ${process}`}
    onClick={() => goToProcess(process)}
  >
    <Icon name="process" size={14} />
  </button>
);

function State({ state, at }: { readonly state: ToolState; readonly at: string }) {
  switch (state.kind) {
    case 'running':
      return (
        <span class="live-text">
          <span class="pulse" /> running {durationInWords(now.value - Date.parse(at))}
        </span>
      );
    case 'done':
      return (
        <>
          <span class="unseen">done in </span>
          {durationInWords(state.ms)}
        </>
      );
    case 'failed':
      return <span class="trouble-text">failed · {durationInWords(state.ms)}</span>;
    case 'unknown':
      return <>no result</>;
  }
}
