import type { RejectedRows } from "@quern/client";
import { useQuery } from "@tanstack/react-query";
import { client } from "../../api/client";
import { count, counted } from "../../app/format";
import { Icon } from "../../ui/icon";
import { Failure, Loading } from "../../ui/state";

const most = 20;

/** The rows that could not be read, each with its place and the reason. */
export function Rejected({ id, total }: { id: string; total: number }) {
  const path = { ingestionId: id };
  const found = useQuery({
    queryKey: ["rejected", id],
    queryFn: async ({ signal }) =>
      (await client.get("/ingestionTracking/{ingestionId}/rejected", {
        path,
        query: { format: "json" },
        signal,
      })) as unknown as RejectedRows,
  });
  if (found.isError) return <Failure error={found.error} />;
  if (!found.data) return <Loading lines={3} />;
  const rows = found.data.data;
  return (
    <section className="stack" aria-label="Rows that could not be read">
      <div className="row between wrap">
        <h3>{counted(total, "row")} could not be read</h3>
        <a className="button plain s" href={client.address("/ingestionTracking/{ingestionId}/rejected", path, { format: "csv" })} download>
          <Icon name="download" size={14} />
          All as CSV
        </a>
      </div>
      <div className="scroll-x card" tabIndex={0} role="region" aria-label="Rows that could not be read">
        <table className="table compact">
          <thead>
            <tr>
              <th scope="col">Where</th>
              <th scope="col">Why</th>
              <th scope="col">As written</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, most).map((row, i) => (
              <tr key={i}>
                <td className="nowrap">
                  {row.filename}
                  {row.member ? ` › ${row.member}` : ""}, {row.line ? `line ${count(row.line)}` : `row ${count(row.row)}`}
                </td>
                <td>{row.reason}</td>
                <td className="mono wrap-anywhere" dir="auto">
                  {row.text}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {total > most && (
        <p className="count">
          {Math.min(most, rows.length)} of {counted(total, "row")}
        </p>
      )}
    </section>
  );
}
