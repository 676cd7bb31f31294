import "../../assets/tokens.css";
import "../../assets/font.css";
import "./styles/base.css";
import "./styles/ui.css";
import "./styles/shell.css";
import "./styles/home.css";
import "./styles/ask.css";
import "./styles/data.css";
import "./styles/chart.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queries } from "./api/queries";
import { router } from "./app/router";
import { closeSignInWindow } from "./app/session";
import { applyTheme } from "./app/theme";

applyTheme();
if (!closeSignInWindow())
  createRoot(document.getElementById("console")!).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
