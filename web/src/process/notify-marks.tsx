import type { ProcessView } from 'rouse/contract/process';
import { printable } from 'rouse/contract/display';
import { Icon } from '../look/icon';

/** Icons for what its session is notified of. */
export function NotifyMarks({ process: { notifyOnComplete, watchPatterns, pty } }: { readonly process: ProcessView }) {
  return (
    <span class="process-marks">
      {notifyOnComplete && (
        <span class="mark" title="Notifies its session when it ends">
          <Icon name="bell" size={13} />
          <span class="unseen">notifies when it ends</span>
        </span>
      )}
      {watchPatterns.length > 0 && (
        <span class="mark" title={`Watched for ${watchPatterns.map(printable).join(' · ')}`}>
          <Icon name="search" size={13} />
          <span class="unseen">watched for {watchPatterns.map(printable).join(', ')}</span>
        </span>
      )}
      {pty && (
        <span class="mark" title="Has a terminal">
          <Icon name="process" size={13} />
          <span class="unseen">has a terminal</span>
        </span>
      )}
    </span>
  );
}
