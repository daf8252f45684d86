// SPDX-License-Identifier: MIT
import "./style.css";
import "./app.js";
