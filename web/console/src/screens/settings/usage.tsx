import { useQuery } from "@tanstack/react-query";
import { usage } from "../../api/queries";
import { compact, count } from "../../app/format";
import { Empty, Failure, Loading } from "../../ui/state";

const shownModels = 20;

/** What was asked of the server and of models in the reader's name, by day. */
export function Usage() {
  const found = useQuery(usage);
  if (found.isError) return <Failure error={found.error} retry={() => void found.refetch()} />;
  if (!found.data) return <Loading lines={5} />;
  const { requests, models } = found.data;
  const byDay = new Map<string, number>();
  const byOperation = new Map<string, number>();
  for (const one of requests) {
    byDay.set(one.day, (byDay.get(one.day) ?? 0) + one.requests);
    byOperation.set(one.operation, (byOperation.get(one.operation) ?? 0) + one.requests);
  }
  const days = lastDays(30).map((day): [string, number] => [day, byDay.get(day) ?? 0]);
  const most = Math.max(...days.map(([, n]) => n), 1);
  const total = days.reduce((sum, [, n]) => sum + n, 0);
  const operations = [...byOperation].sort((a, b) => b[1] - a[1]);
  if (total === 0)
    return (
      <div className="card">
        <Empty icon="chart" title="Nothing was counted yet" />
      </div>
    );
  return (
    <section className="stack loose" aria-label="Usage">
      <div className="card pad stack">
        <div className="row between">
          <h2>Requests</h2>
          <span className="count">{count(total)} in the last 30 days</span>
        </div>
        <div
          className="day-bars"
          role="img"
          aria-label={`Requests by day: ${days
            .filter(([, n]) => n > 0)
            .map(([day, n]) => `${day} ${n}`)
            .join(", ")}`}
        >
          {days.map(([day, n]) => (
            <span key={day} className="day-bar" title={`${day}: ${count(n)}`}>
              <i style={{ height: `${n === 0 ? 0 : Math.max(3, (n / most) * 100)}%` }} />
            </span>
          ))}
        </div>
        <div className="row between count">
          <span>{days[0]![0]}</span>
          <span>{days.at(-1)![0]}</span>
        </div>
      </div>
      <div className="card">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Operation</th>
              <th scope="col" className="right">
                Requests
              </th>
            </tr>
          </thead>
          <tbody>
            {operations.slice(0, 15).map(([name, n]) => (
              <tr key={name}>
                <td className="mono">{name}</td>
                <td className="right num">{count(n)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {operations.length > 15 && <p className="preview-foot count">15 of {count(operations.length)} operations</p>}
      </div>
      {models.length > 0 && (
        <div className="card scroll-x" tabIndex={0} role="region" aria-label="Models by day">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">Model</th>
                <th scope="col" className="right">
                  Answers
                </th>
                <th scope="col" className="right">
                  Tokens in
                </th>
                <th scope="col" className="right">
                  Tokens out
                </th>
                <th scope="col" className="right">
                  Cost
                </th>
              </tr>
            </thead>
            <tbody>
              {models.slice(-shownModels).map((one) => (
                <tr key={`${one.day} ${one.model}`}>
                  <td className="nowrap">{one.day}</td>
                  <td>
                    {one.model} <span className="quiet">{one.provider}</span>
                  </td>
                  <td className="right num">{count(one.requests)}</td>
                  <td className="right num">{compact(one.inputTokens)}</td>
                  <td className="right num">{compact(one.outputTokens)}</td>
                  <td className="right num">{one.cost.toFixed(2)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {models.length > shownModels && (
            <p className="preview-foot count">
              the last {shownModels} of {count(models.length)}
            </p>
          )}
        </div>
      )}
    </section>
  );
}

/** The days up to today in UTC, as the server counts them. */
function lastDays(n: number): string[] {
  return Array.from({ length: n }, (_, i) => new Date(Date.now() - (n - 1 - i) * 86_400_000).toISOString().slice(0, 10));
}
